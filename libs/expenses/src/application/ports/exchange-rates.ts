import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { FilterFields, FilterOf, Page, PageRequest } from '@counterfoil/pagination';
import type { CountingRate, DayRate } from '../../domain/exchange-rate';

/** Whose rates: a company's own, or, for null, those published for every company. */
export type RateOwner = number | null;

export interface SavedRates {
  /** Rates of days that had none. */
  readonly added: number;
  /** Rates that were another before. */
  readonly revised: number;
  /** The queue entries of the added rates. */
  readonly arrivalIds: readonly number[];
}

export const RATE_FILTERS = {
  currency: { kind: 'currency' },
  startDate: { kind: 'day', description: 'Rates of this day and later.' },
  endDate: { kind: 'day', description: 'Rates of this day and earlier.' },
} as const satisfies FilterFields;
export type RateFilter = FilterOf<typeof RATE_FILTERS>;

export interface RateRow extends DayRate {
  readonly id: number;
  readonly source: 'company' | 'published';
  readonly createdAt: Date;
  /** When it was last revised. */
  readonly updatedAt: Date;
}

/**
 * The rates of days, published and of companies (contract §11.9, §11.10).
 *
 * No expense is left without a rate that arrives while it is written: who converts an amount holds a lock until its
 * commit, and who saves rates waits for those locks. So the expense either finds the rate, or is committed before the
 * rate is, and is found by `RevalueExpenses`.
 */
export abstract class ExchangeRates {
  /**
   * Take this before reading a rate to write an amount of a foreign currency. It is held until `tx` ends. Writers
   * share it.
   */
  abstract lock(tx: Transaction, companyId: number): Promise<void>;

  /**
   * The rate that counts for a day: the last one on or before it, at most `RATE_AGE_DAYS_MAX` days old; of its day the
   * company's own before the published one. Null when there is none.
   */
  abstract rateOn(
    tx: Transaction,
    companyId: number,
    currency: string,
    date: PlainDate,
  ): Promise<CountingRate | null>;

  /**
   * Saves rates, replacing existing ones, and queues the search for expenses that lacked the new ones: a revised rate
   * does not change converted expenses. Waits for all holders of `lock`.
   *
   * @param rates each currency and day once
   */
  abstract save(tx: Transaction, owner: RateOwner, rates: readonly DayRate[], now: Date): Promise<SavedRates>;

  /**
   * A company's own rates and the published ones, newest day first, then by currency, then by id. Rows and total are of
   * one moment.
   */
  abstract list(companyId: number, filter: RateFilter, page: PageRequest): Promise<Page<RateRow>>;
}
