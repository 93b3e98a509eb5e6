import {
  decimal,
  UNIT_MAX,
  UNIT_SCALE,
  hasScale,
  isCurrencyCode,
  isPlainDate,
  type PlainDate,
} from '@counterfoil/kernel';
import { CsvError, parse } from 'csv-parse/sync';
import { type PublishedSince, PublishedRatesUnavailable } from '../../application/ports/published-rates';
import { type DayRate, problemOf, rateKey, RATE_UNITS } from '../../domain/exchange-rate';

/** The required columns. The response has more, and further ones may be added. */
const COLUMNS = [
  ...['FREQ', 'BASE_CURRENCY', 'COUNTER_CURRENCY', 'DATA_TYPE'],
  ...['UNIT_MULT', 'TIME_PERIOD', 'OBS_VALUE'],
] as const;
/** The code of representative rates. The dataflow also has averages and indexes. */
const REPRESENTATIVE = 'OF00';
/** The values of a day without a rate. */
const NO_VALUE = ['', 'NaN'];
const DECIMAL = /^\d{1,10}(\.\d+)?$/;
/**
 * A rate that differs from the median of its currency by more than this factor has the wrong unit or belongs
 * to another series. Real currencies have fallen to a tenth within a year.
 */
const ABSURD_FACTOR = 20;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/**
 * Parses the Bank of Israel's exchange rates in SDMX-CSV (docs/exchange-rates.md).
 *
 * @param since rows of earlier days are skipped
 * @throws PublishedRatesUnavailable if the text is not a complete series
 */
export function readSeries(csv: string, since: PlainDate): PublishedSince {
  const rates = new Map<string, DayRate>();
  const refused: string[] = [];
  const daily = rowsOf(csv).filter(isDailyRate);
  for (const row of daily.filter(({ TIME_PERIOD }) => TIME_PERIOD >= since)) {
    const read = rateIn(row);
    if (typeof read === 'string') {
      refused.push(`${row.BASE_CURRENCY} ${row.TIME_PERIOD} ${row.OBS_VALUE}: ${read}`);
    } else if (rates.has(rateKey(read))) {
      refused.push(`${rateKey(read)} ${read.rate}: occurs twice`);
    } else {
      rates.set(rateKey(read), read);
    }
  }
  if (rates.size === 0) throw new PublishedRatesUnavailable('the response contains no rates');
  const absurd = absurdOf([...rates.values()]);
  return {
    rates: [...rates.values()].filter((rate) => !absurd.has(rate)),
    refused: [...refused, ...[...absurd].map((rate) => `${rateKey(rate)} ${rate.rate}: is implausible`)],
  };
}

function rowsOf(csv: string): Row[] {
  try {
    const [header = [], ...lines] = parse(csv, { bom: true, skip_empty_lines: true });
    const missing = COLUMNS.filter((column) => !header.includes(column));
    if (missing.length > 0) {
      throw new PublishedRatesUnavailable(
        `the response is not the expected series: it lacks ${missing.join(', ')}`,
      );
    }
    const places = COLUMNS.map((column) => [column, header.indexOf(column)] as const);
    return lines.map(
      (line) => Object.fromEntries(places.map(([column, place]) => [column, line[place] ?? ''])) as Row,
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new PublishedRatesUnavailable('the response is not complete CSV', { cause: error });
  }
}

/**
 * False for rows that are skipped without a warning: the currency basket, averages, and days without a rate.
 */
function isDailyRate(row: Row): boolean {
  const { FREQ, BASE_CURRENCY, COUNTER_CURRENCY, DATA_TYPE, OBS_VALUE } = row;
  const isSeries = FREQ === 'D' && DATA_TYPE === REPRESENTATIVE && COUNTER_CURRENCY === 'ILS';
  return isSeries && isCurrencyCode(BASE_CURRENCY) && !NO_VALUE.includes(OBS_VALUE);
}

/** Returns the rate, or the problem of the row. */
function rateIn({ BASE_CURRENCY: currency, TIME_PERIOD: date, OBS_VALUE, UNIT_MULT }: Row): DayRate | string {
  const rate = DECIMAL.test(OBS_VALUE) ? Number(OBS_VALUE) : NaN;
  // UNIT_MULT is the exponent of a power of ten, from 0.
  const unit = /^\d$/.test(UNIT_MULT) ? RATE_UNITS[Number(UNIT_MULT)] : undefined;
  if (!(rate > 0 && rate <= UNIT_MAX)) return 'is not a valid rate';
  if (!hasScale(rate, UNIT_SCALE)) return `has more than ${UNIT_SCALE} decimals`;
  if (unit === undefined) return `has an unknown unit (UNIT_MULT ${UNIT_MULT})`;
  if (!isPlainDate(date)) return 'is not for a calendar date';
  return problemOf({ currency, date })?.problem ?? { currency, date, rate, unit };
}

function absurdOf(rates: readonly DayRate[]): Set<DayRate> {
  const perUnit = ({ rate, unit }: DayRate) => decimal(rate).div(unit).toNumber();
  const currencies = [...new Set(rates.map(({ currency }) => currency))];
  // The median, or both middle values. If those two disagree, both are suspect.
  const middles = new Map(
    currencies.map((currency) => {
      const values = rates.filter((rate) => rate.currency === currency).map(perUnit);
      const last = values.length - 1;
      values.sort((a, b) => a - b);
      return [currency, [values[Math.floor(last / 2)] ?? 0, values[Math.ceil(last / 2)] ?? 0]];
    }),
  );
  return new Set(
    rates.filter((rate) =>
      (middles.get(rate.currency) ?? []).some((middle) => {
        const ratio = perUnit(rate) / middle;
        return ratio > ABSURD_FACTOR || ratio < 1 / ABSURD_FACTOR;
      }),
    ),
  );
}
