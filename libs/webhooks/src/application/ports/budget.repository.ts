import type { ClaimedDelivery } from './delivery.repository';

/** The attempts to charge to a company. */
export interface BudgetCharge {
  readonly companyId: number;
  readonly attempts: number;
}

/** Counts the attempts of each company and day over all workers. */
export abstract class BudgetRepository {
  /**
   * Charges companies with attempts of a day, up to `max` for each. Locks the companies in order of their
   * ids.
   *
   * @param day YYYY-MM-DD
   * @returns the attempts charged to each company
   */
  abstract charge(
    charges: readonly BudgetCharge[],
    day: string,
    max: number,
  ): Promise<ReadonlyMap<number, number>>;
  /** Takes back charges for attempts that were not made. Locks the companies in order of their ids. */
  abstract refund(charges: readonly BudgetCharge[], day: string): Promise<void>;
  /**
   * Postpones claimed deliveries, and up to `limit` other due deliveries of their endpoints, to a time. They
   * become `waiting`, and are due in order of creation.
   */
  abstract putOff(
    claims: readonly ClaimedDelivery[],
    times: { readonly now: Date; readonly until: Date },
    limit: number,
  ): Promise<void>;
  /** Deletes the days before `day` in batches until the signal aborts. */
  abstract purge(day: string, signal: AbortSignal): Promise<void>;
}
