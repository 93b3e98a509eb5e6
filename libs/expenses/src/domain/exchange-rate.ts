import {
  decimal,
  type FieldProblem,
  MONEY_MAX,
  type PlainDate,
  toMoney,
  validationFailed,
} from '@counterfoil/kernel';
import { SHEKEL } from './expense';

/**
 * The rate of a day counts for that day and, if none was published later, for this many days after it (contract
 * §11.8).
 */
export const RATE_AGE_DAYS_MAX = 10;

/** How many units of a currency a rate may be for: yen are quoted by the hundred. */
export const RATE_UNITS = [1, 10, 100, 1000] as const;
export type RateUnit = (typeof RATE_UNITS)[number];

/** The days that a rate may be of. */
const RATE_DATE_MIN: PlainDate = '1970-01-01';
const RATE_DATE_MAX: PlainDate = '2100-12-31';

/** The value in shekels of this many units of a currency on a day. */
export interface DayRate {
  /** ISO 4217, not the shekel. */
  readonly currency: string;
  readonly date: PlainDate;
  /** Shekels for `unit` units; 4 decimals. */
  readonly rate: number;
  readonly unit: RateUnit;
}

/** The rate that an amount is converted with, and the day that it is of. */
export type CountingRate = Pick<DayRate, 'rate' | 'unit' | 'date'>;

/**
 * An amount of money in shekels, rounded once, at the end: half away from zero, to 2 decimals. Null where that is more
 * than an amount of money can be.
 *
 * @param total money of the currency that the rate is of
 */
export function inShekels(total: number, { rate, unit }: Pick<DayRate, 'rate' | 'unit'>): number | null {
  // By a product, which is exact: a quotient may be rounded before the end.
  const shekels = decimal(total)
    .times(rate)
    .times(1 / unit);
  return shekels.abs().gt(MONEY_MAX) ? null : toMoney(shekels);
}

/** Returns the fault of a rate by itself, or null. The form of its fields is checked before. */
export function problemOf({ currency, date }: Pick<DayRate, 'currency' | 'date'>): FieldProblem | null {
  if (currency === SHEKEL)
    return {
      field: 'currency',
      problem: 'must not be ILS: a rate says what another currency is worth in shekels',
    };
  if (RATE_DATE_MIN <= date && date <= RATE_DATE_MAX) return null;
  return { field: 'date', problem: `must be from ${RATE_DATE_MIN} to ${RATE_DATE_MAX}` };
}

/** The key of a rate: with two of one currency and day, it would be open which of them counts. */
export function rateKey({ currency, date }: Pick<DayRate, 'currency' | 'date'>): string {
  return `${currency} ${date}`;
}

/** @throws AppError `VALIDATION_FAILED` that names each entry which cannot be saved */
export function assertRates(rates: readonly DayRate[]): void {
  const places = new Map<string, number>();
  const problems = rates.flatMap((rate, index) => {
    const own = problemOf(rate);
    if (own) return [{ ...own, field: `rates[${index}].${own.field}` }];
    const earlier = places.get(rateKey(rate));
    places.set(rateKey(rate), earlier ?? index);
    if (earlier === undefined) return [];
    return [{ field: `rates[${index}]`, problem: `has the currency and date of rates[${earlier}]` }];
  });
  if (problems.length > 0) throw validationFailed(problems);
}

/** The calendar date this many days earlier. */
export function daysBefore(date: PlainDate, days: number): PlainDate {
  const earlier = new Date(`${date}T00:00:00Z`);
  earlier.setUTCDate(earlier.getUTCDate() - days);
  return earlier.toISOString().slice(0, 10);
}
