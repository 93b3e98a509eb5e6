import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { Expense } from '../../domain/expense';
import type { RateOwner } from './exchange-rates';

/** The progress of a queue entry: the last expense that was checked. */
export interface RevaluedUpTo {
  readonly date: PlainDate;
  readonly companyId: number;
  readonly expenseId: number;
}

/** A queue entry: new rates for which expenses must be checked. */
export interface RateArrival {
  readonly id: number;
  readonly owner: RateOwner;
  readonly currency: string;
  /** The period of the rates. They may apply for `RATE_AGE_DAYS_MAX` days after it. */
  readonly fromDate: PlainDate;
  readonly toDate: PlainDate;
  /** Null before it starts. */
  readonly upTo: RevaluedUpTo | null;
}

export interface RevaluedBatch {
  /** The converted expenses in their new state. */
  readonly revalued: readonly Expense[];
  /** The position to continue from; null if all expenses were checked. */
  readonly upTo: RevaluedUpTo | null;
}

/** Converts expenses with new rates (contract §11.8). All methods allow concurrent workers. */
export abstract class ExpenseRevaluation {
  /**
   * Locks a queue entry until `tx` ends. Returns null if there is none.
   *
   * @param which only these entries, waiting for other holders; or the first unlocked entry after an id
   */
  abstract take(
    tx: Transaction,
    which: { readonly ids: readonly number[] } | { readonly behindId: number },
  ): Promise<RateArrival | null>;

  /**
   * Reads the next expenses of a queue entry in the order of day, company and id. Converts those that have no
   * rate, or whose applicable rate is of a later day than the one used.
   *
   * @param limit the maximum of expenses to read
   */
  abstract revalue(tx: Transaction, arrival: RateArrival, limit: number): Promise<RevaluedBatch>;

  /** Stores the progress of a queue entry. Null deletes the entry, because it is finished. */
  abstract proceed(tx: Transaction, arrivalId: number, upTo: RevaluedUpTo | null): Promise<void>;
}
