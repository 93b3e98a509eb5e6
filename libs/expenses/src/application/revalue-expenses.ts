import { FaultPoints } from '@counterfoil/config';
import { type Transaction, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { expenseEvent } from './events';
import type { Expense } from '../domain/expense';
import { ExpenseRevaluation } from './ports/expense-revaluation';

/** Expenses checked in one transaction. */
const BATCH = 500;

/**
 * Converts the expenses that a new rate applies to (contract §11.8). Each batch stores its progress in the
 * transaction that converts it, so that another worker can continue, after a crash or concurrently.
 */
@Injectable()
export class RevalueExpenses {
  constructor(
    private readonly transactions: Transactions,
    private readonly revaluation: ExpenseRevaluation,
    private readonly outbox: Outbox,
    private readonly faults: FaultPoints,
  ) {}

  /**
   * Processes all queue entries that no other worker is processing.
   *
   * @throws the error of a failed entry, after all others have been processed
   */
  async execute(signal: AbortSignal): Promise<void> {
    let failure: Error | undefined;
    for (let behindId = 0, more = true; more && !signal.aborted;) {
      let takenId = 0;
      try {
        more = await this.batch({ behindId }, (id) => (takenId = id));
      } catch (error) {
        if (takenId === 0 || !(error instanceof Error)) throw error;
        // Skip the failed entry, for example because its expenses are locked, and continue with the next one.
        behindId = takenId;
        failure = error;
      }
    }
    if (failure) throw failure;
  }

  /**
   * Processes these queue entries, waiting for other workers that process them.
   *
   * @param patienceMs after this time the worker processes the rest
   * @param signal stops after the current batch; the worker processes the rest
   */
  async follow(ids: readonly number[], patienceMs: number, signal?: AbortSignal): Promise<void> {
    const limit = performance.now() + patienceMs;
    const goesOn = () => ids.length > 0 && performance.now() < limit && !signal?.aborted;
    while (goesOn() && (await this.batch({ ids })));
  }

  /** Processes one batch. Returns false if nothing was left to do. */
  private async batch(
    which: Parameters<ExpenseRevaluation['take']>[1],
    onTaken: (arrivalId: number) => void = () => undefined,
  ): Promise<boolean> {
    const worked = await this.transactions.run(async (tx) => {
      const arrival = await this.revaluation.take(tx, which);
      if (!arrival) return false;
      onTaken(arrival.id);
      const { revalued, upTo } = await this.revaluation.revalue(tx, arrival, BATCH);
      await this.tell(tx, revalued);
      await this.revaluation.proceed(tx, arrival.id, upTo);
      this.faults.reach('revaluation.converted');
      return true;
    });
    if (worked) this.faults.reach('revaluation.committed');
    return worked;
  }

  private async tell(tx: Transaction, expenses: readonly Expense[]): Promise<void> {
    for (const companyId of new Set(expenses.map((expense) => expense.companyId))) {
      const theirs = expenses.filter((expense) => expense.companyId === companyId);
      const events = theirs.map((expense) => expenseEvent('expense.updated', expense));
      await this.outbox.append(tx, companyId, events);
    }
  }
}
