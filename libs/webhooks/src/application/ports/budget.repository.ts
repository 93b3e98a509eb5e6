import type { ClaimedDelivery } from './delivery.repository';

/** Attempts that a company is to be charged with. */
export interface Charge {
  readonly companyId: number;
  readonly attempts: number;
}

/** Counts the attempts of each company by the day, for all workers. */
export abstract class BudgetRepository {
  /**
   * Charges companies with attempts of a day, each up to `max`, and locks them in the order of their ids.
   *
   * @param day YYYY-MM-DD
   * @returns how many each was charged with
   */
  abstract charge(charges: readonly Charge[], day: string, max: number): Promise<ReadonlyMap<number, number>>;
  /** Takes charges back for attempts that were not made. Locks the companies in the order of their ids, too. */
  abstract refund(charges: readonly Charge[], day: string): Promise<void>;
  /**
   * Has claimed deliveries, and up to `limit` of what else is due to their endpoints, wait until a time. They are
   * `waiting` then, and due in the order in which they were made.
   */
  abstract putOff(
    claims: readonly ClaimedDelivery[],
    times: { readonly now: Date; readonly until: Date },
    limit: number,
  ): Promise<void>;
  /** Deletes the days before one, in batches, until the signal aborts. */
  abstract purge(day: string, signal: AbortSignal): Promise<void>;
}
