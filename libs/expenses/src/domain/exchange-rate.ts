import {
  decimal,
  type FieldProblem,
  MONEY_MAX,
  type PlainDate,
  toMoney,
  validationFailed,
} from '@counterfoil/kernel';
import { SHEKEL } from './expense';

/** A rate applies to its day, and to this many days after it if there is no later rate (contract §11.8). */
export const RATE_AGE_DAYS_MAX = 10;

/** The possible units of a rate. For example, rates of the yen are for 100 units. */
export const RATE_UNITS = [1, 10, 100, 1000] as const;
export type RateUnit = (typeof RATE_UNITS)[number];

/** Bounds of the day of a rate. */
const RATE_DATE_MIN: PlainDate = '1970-01-01';
const RATE_DATE_MAX: PlainDate = '2100-12-31';

/** The price of `unit` units of a currency in shekels on a day. */
export interface DayRate {
  /** ISO 4217, not the shekel. */
  readonly currency: string;
  readonly date: PlainDate;
  /** Shekels for `unit` units; 4 decimals. */
  readonly rate: number;
  readonly unit: RateUnit;
}

/** The rate that applies to an amount, and its day. */
export type CountingRate = Pick<DayRate, 'rate' | 'unit' | 'date'>;

/**
 * Converts an amount to shekels, rounded once at the end: half away from zero, to 2 decimals. Returns null if
 * the result exceeds the largest amount of money.
 *
 * @param total an amount in the currency of the rate
 */
export function inShekels(total: number, { rate, unit }: Pick<DayRate, 'rate' | 'unit'>): number | null {
  // Multiply first, because a product is exact and a quotient may be rounded too early.
  const shekels = toMoney(
    decimal(total)
      .times(rate)
      .times(1 / unit),
  );
  return Math.abs(shekels) > MONEY_MAX ? null : shekels;
}

/** Returns the problem of a single rate, or null. The format of its fields is checked elsewhere. */
export function problemOf({ currency, date }: Pick<DayRate, 'currency' | 'date'>): FieldProblem | null {
  if (currency === SHEKEL)
    return {
      field: 'currency',
      problem: 'must not be ILS: a rate says what another currency is worth in shekels',
    };
  if (RATE_DATE_MIN <= date && date <= RATE_DATE_MAX) return null;
  return { field: 'date', problem: `must be from ${RATE_DATE_MIN} to ${RATE_DATE_MAX}` };
}

/** The key by which rates must be unique: a currency has one rate for each day. */
export function rateKey({ currency, date }: Pick<DayRate, 'currency' | 'date'>): string {
  return `${currency} ${date}`;
}

/** @throws AppError `VALIDATION_FAILED` that names each invalid entry */
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

/** Returns the calendar date this many days earlier. */
export function daysBefore(date: PlainDate, days: number): PlainDate {
  const earlier = new Date(`${date}T00:00:00Z`);
  earlier.setUTCDate(earlier.getUTCDate() - days);
  return earlier.toISOString().slice(0, 10);
}
