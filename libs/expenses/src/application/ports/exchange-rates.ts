import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { FilterFields, FilterOf, Page, PageRequest } from '@counterfoil/pagination';
import type { CountingRate, DayRate } from '../../domain/exchange-rate';

/** The owner of rates: a company, or null for the published rates that apply to every company. */
export type RateOwner = number | null;

export interface SavedRates {
  /** Number of new rates. */
  readonly added: number;
  /** Number of existing rates that were changed. */
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
  /** Time of the last revision. */
  readonly updatedAt: Date;
}

/**
 * Daily exchange rates, published and of companies (contract §11.9, §11.10).
 *
 * An expense cannot miss a rate that is saved concurrently. Converting an amount takes a shared lock until
 * the commit, and saving rates takes it exclusively. So either the expense is converted with the new rate, or
 * it is committed before the rate is saved, and `RevalueExpenses` finds it.
 */
export abstract class ExchangeRates {
  /**
   * Takes the shared lock until `tx` ends. Call it before reading a rate in order to write an amount in a
   * foreign currency.
   */
  abstract lock(tx: Transaction, companyId: number): Promise<void>;

  /**
   * Returns the applicable rate of a day: the last one on or before it, at most `RATE_AGE_DAYS_MAX` days old.
   * On the same day, the company's own rate takes precedence over the published one. Null if there is none.
   */
  abstract rateOn(
    tx: Transaction,
    companyId: number,
    currency: string,
    date: PlainDate,
  ): Promise<CountingRate | null>;

  /**
   * Inserts or replaces rates, and queues the search for expenses that the new ones apply to. A revised rate
   * does not change converted expenses. Waits for all holders of `lock`.
   *
   * @param rates each currency and day at most once
   */
  abstract save(tx: Transaction, owner: RateOwner, rates: readonly DayRate[], now: Date): Promise<SavedRates>;

  /**
   * Lists a company's own rates and the published ones: latest day first, then by currency, then by id. Rows
   * and total come from one snapshot.
   */
  abstract list(companyId: number, filter: RateFilter, page: PageRequest): Promise<Page<RateRow>>;
}
