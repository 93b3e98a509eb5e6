import fs from 'node:fs';
import { type DayRate, problemOf, RATE_UNITS, rateKey } from '@counterfoil/expenses';
import { UNIT_MAX, isCurrencyCode, isPlainDate } from '@counterfoil/kernel';
import { Faults } from '@counterfoil/lifecycle';
import { CsvError, parse } from 'csv-parse';

const HEADERS = ['currency,date,rate', 'currency,date,rate,unit'];
const RATES_MAX = 1_000_000;
/** No line of such a file is longer: a longer one has an unclosed quote. */
const LINE_MAX_BYTES = 10_000;
const FAULTS_SHOWN_MAX = 100;
const DECIMAL = /^\d+(\.\d{1,4})?$/;

/** One line below the header: its rate, or its fault. */
type Line = { readonly number: number } & ({ readonly rate: DayRate } | { readonly fault: string });

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Validates a whole file of rates without storing it.
 *
 * @returns the number of rates
 * @throws Faults that names every line which cannot be imported, as many as can be shown; Error if it is no such file
 */
export async function checkRatesFile(file: string, ratesMax = RATES_MAX): Promise<number> {
  const places = new Map<string, number>();
  const shown: string[] = [];
  let [count, faults] = [0, 0];
  for await (const line of linesOf(file)) {
    const fault = 'fault' in line ? line.fault : repetitionOf(line.rate, line.number, places);
    if (fault !== null) faults += 1;
    if (fault !== null && faults <= FAULTS_SHOWN_MAX) shown.push(`line ${line.number}: ${fault}`);
    count += 1;
    if (count > ratesMax) throw new Error(`${file} has more than ${ratesMax} rates: divide it`);
  }
  if (faults > 0) throw new Faults(inWords(file, shown, faults - shown.length));
  if (count === 0) throw new Error(`${file} has no rates`);
  return count;
}

/** The rates of a file that was checked. */
export async function* ratesIn(file: string): AsyncIterable<DayRate> {
  for await (const line of linesOf(file)) {
    if ('fault' in line) throw new Error(`${file} has changed: line ${line.number}: ${line.fault}`);
    yield line.rate;
  }
}

async function* linesOf(file: string): AsyncIterable<Line> {
  if (!isFile(file)) throw new Error(`${file} is not a file that can be read`);
  let header: string | null = null;
  let last = 0;
  const source = fs.createReadStream(file);
  const parser = parse({
    ...{ bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true },
    max_record_size: LINE_MAX_BYTES,
  });
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRecord>) {
      last = info.lines;
      if (header !== null) yield { number: last, ...lineIn(record, header) };
      else header = headerIn(record, file);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${file} is not CSV from line ${last + 1} on: ${error.message}`, { cause: error });
  } finally {
    source.destroy();
  }
  if (header === null) throw new Error(`${file} is empty: its first line must be ${HEADERS.join(' or ')}`);
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function headerIn(record: readonly string[], file: string): string {
  const header = record.join(',');
  if (HEADERS.includes(header)) return header;
  throw new Error(`the first line of ${file} must be ${HEADERS.join(' or ')}`);
}

function lineIn(
  record: readonly string[],
  header: string,
): { readonly rate: DayRate } | { readonly fault: string } {
  const columns = header.split(',').length;
  if (record.length !== columns) return { fault: `has ${record.length} fields in the place of ${columns}` };
  const [currency = '', date = '', rateText = '', unitText = ''] = record;
  const rate = DECIMAL.test(rateText) ? Number(rateText) : NaN;
  const unit = RATE_UNITS.find((one) => String(one) === (unitText || '1'));
  if (unit === undefined) return { fault: `unit must be one of ${RATE_UNITS.join(', ')}` };
  const read: DayRate = { currency, date, rate, unit };
  const fault = faultOf(read);
  return fault === null ? { rate: read } : { fault };
}

function faultOf({ currency, date, rate }: DayRate): string | null {
  if (!isCurrencyCode(currency)) return 'currency must be an ISO 4217 currency code';
  if (!isPlainDate(date)) return 'date must be a calendar date, YYYY-MM-DD';
  if (!(rate > 0 && rate <= UNIT_MAX)) {
    return `rate must be a number above 0 and up to ${UNIT_MAX}, with at most 4 decimals`;
  }
  const problem = problemOf({ currency, date });
  return problem && `${problem.field} ${problem.problem}`;
}

function repetitionOf(rate: DayRate, number: number, places: Map<string, number>): string | null {
  const earlier = places.get(rateKey(rate));
  if (earlier !== undefined) return `has the currency and date of line ${earlier}`;
  places.set(rateKey(rate), number);
  return null;
}

function inWords(file: string, faults: readonly string[], more: number): string[] {
  const rest = more > 0 ? [`and ${more} more`] : [];
  return [`nothing was imported from ${file}:`, ...faults, ...rest];
}
