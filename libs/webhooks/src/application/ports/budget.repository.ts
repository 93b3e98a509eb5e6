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
  /** Takes a charge back for an attempt that was not made. */
  abstract refund(companyId: number, day: string): Promise<void>;
  /**
   * Has claimed deliveries, and up to `limit` of what else is due to their endpoints, wait until a time. They are
   * `waiting` then, and due in the order in which they were made.
   */
  abstract putOff(
    claims: readonly ClaimedDelivery[],
    times: { readonly now: Date; readonly until: Date },
    limit: number,
  ): Promise<void>;
  /** Forgets, batch by batch until it is told to stop, the days before one. */
  abstract purge(day: string, signal: AbortSignal): Promise<void>;
}
