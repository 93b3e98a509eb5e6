import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { Expense } from '../../domain/expense';
import type { RateOwner } from './exchange-rates';

/** How far an arrival has been worked through: every expense up to this one has been looked at. */
export interface RevaluedUpTo {
  readonly date: PlainDate;
  readonly companyId: number;
  readonly expenseId: number;
}

/** Rates that have come, and that expenses are to be looked at for. */
export interface RateArrival {
  readonly id: number;
  readonly owner: RateOwner;
  readonly currency: string;
  /** The days of the rates. They may count for `RATE_AGE_DAYS_MAX` more days. */
  readonly fromDate: PlainDate;
  readonly toDate: PlainDate;
  /** Null before it starts. */
  readonly upTo: RevaluedUpTo | null;
}

export interface RevaluedBatch {
  /** The expenses that were converted anew, as they are now. */
  readonly revalued: readonly Expense[];
  /** Where to go on; null when that was all. */
  readonly upTo: RevaluedUpTo | null;
}

/**
 * Brings expenses to the rates that have come (contract §11.8). Everything is safe with several at work at
 * once.
 */
export abstract class ExpenseRevaluation {
  /**
   * Locks a queue entry for `tx` until it ends. Null if there is none.
   *
   * @param which only these entries, waiting for other holders; or any unlocked entry behind an id
   */
  abstract take(
    tx: Transaction,
    which: { readonly ids: readonly number[] } | { readonly behindId: number },
  ): Promise<RateArrival | null>;

  /**
   * Reads the next expenses of a queue entry, in the order of day, company and id, and converts those whose counting
   * rate is of a later day than the one that they were converted with, or that had none.
   *
   * @param limit the maximum of expenses to read
   */
  abstract revalue(tx: Transaction, arrival: RateArrival, limit: number): Promise<RevaluedBatch>;

  /** Remembers how far an arrival has been worked through; with null it is done, and forgotten. */
  abstract proceed(tx: Transaction, arrivalId: number, upTo: RevaluedUpTo | null): Promise<void>;
}
