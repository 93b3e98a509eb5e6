import { CsvError, parse } from 'csv-parse/sync';
import path from 'node:path';
import { CommandError, EXIT } from '../failure';
import { isObject, parseJson } from '../input-file';
import { type VendorColumn, vendorColumn, vendorValue } from './vendor-columns';

/** A vendor to import, and where it stands in the file. */
export interface VendorRow {
  /** `line 4`, or `entry 4` of a JSON array. */
  readonly place: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const FORMATS = ['csv', 'json', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** @throws CommandError if the ending tells nothing */
export function formatOf(file: string): Format {
  const ending = path.extname(file).slice(1).toLowerCase();
  const found = FORMATS.find((format) => format === ending) ?? (ending === 'ndjson' ? 'jsonl' : undefined);
  if (found !== undefined) return found;
  throw new CommandError(EXIT.usage, `${file}: the ending is none of ${FORMATS.join(', ')}: add --format`);
}

/** @throws CommandError if the text is not of the format. What a row must contain is decided by the service. */
export function vendorRows(text: string, format: Format, file: string): VendorRow[] {
  const read = { csv: csvRows, json: jsonRows, jsonl: jsonLinesRows }[format];
  const rows = read(text, file);
  if (rows.length === 0) throw new CommandError(EXIT.usage, `${file} has no vendors`);
  return rows;
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function csvRows(text: string, file: string): VendorRow[] {
  const [header, ...records] = csvRecords(text, file);
  if (header === undefined) return [];
  const columns = header.record.map((title) => vendorColumn(title));
  const unknown = header.record.filter((title, index) => columns[index] === undefined && title !== '');
  if (unknown.length > 0)
    throw new CommandError(EXIT.usage, `${file}: no such column: ${unknown.join(', ')} (see --help)`);
  return records.map(({ record, info }) => ({ place: `line ${info.lines}`, body: bodyOf(columns, record) }));
}

function csvRecords(text: string, file: string): readonly CsvRecord[] {
  const cells = { trim: true, skip_empty_lines: true, relax_column_count: true };
  // A quote inside of a word is part of it, as in בע"מ.
  const options = { ...cells, bom: true, info: true, relax_quotes: true };
  try {
    // Otherwise line breaks of Windows count twice inside of a cell.
    return parse(text.replaceAll('\r\n', '\n'), {
      ...options,
      delimiter: delimiterOf(text),
    }) as unknown as readonly CsvRecord[];
  } catch (error) {
    if (error instanceof CsvError) throw new CommandError(EXIT.usage, `${file} is not CSV: ${error.message}`);
    throw error;
  }
}

/** The one that the header uses most: some spreadsheets write semicolons. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split('\n', 1);
  const countOf = (delimiter: string) => header.split(delimiter).length;
  return [';', '\t'].reduce((best, one) => (countOf(one) > countOf(best) ? one : best), ',');
}

/** Empty cells are fields that are left out. */
function bodyOf(
  columns: readonly (VendorColumn | undefined)[],
  record: readonly string[],
): VendorRow['body'] {
  const [body, contact]: Record<string, unknown>[] = [{}, {}];
  for (const [index, text] of record.entries()) {
    const column = columns[index];
    if (column === undefined || text === '') continue;
    const [field, inner] = column.split('.');
    if (inner === undefined) body![field!] = vendorValue(column, text);
    else contact![inner] = vendorValue(column, text);
  }
  return Object.keys(contact!).length === 0 ? body! : { ...body, contact };
}

function jsonRows(text: string, file: string): VendorRow[] {
  const value = parseJson(text, file);
  if (!Array.isArray(value)) throw new CommandError(EXIT.usage, `${file} must be an array of vendors`);
  return value.map((body: unknown, index) => row(`entry ${index + 1}`, body, file));
}

function jsonLinesRows(text: string, file: string): VendorRow[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const place = `line ${index + 1}`;
    return [row(place, parseJson(line, `${file}, ${place}`), file)];
  });
}

function row(place: string, body: unknown, file: string): VendorRow {
  if (isObject(body)) return { place, body };
  throw new CommandError(EXIT.usage, `${file}, ${place} is not an object`);
}
