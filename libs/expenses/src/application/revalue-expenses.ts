import { FaultPoints } from '@counterfoil/config';
import { type Transaction, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { expenseEvent } from './events';
import type { Expense } from '../domain/expense';
import { ExpenseRevaluation } from './ports/expense-revaluation';

/** Expenses that are looked at in one transaction. */
const BATCH = 500;

/**
 * Converts the expenses that lacked a new rate (contract §11.8). Each batch stores its progress in the transaction
 * that converts it, so that another worker, after a crash or beside this one, continues there.
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
   * Processes all queue entries that no other worker processes.
   *
   * @throws the errors of queue entries, after all others are processed
   */
  async execute(signal: AbortSignal): Promise<void> {
    let failure: Error | undefined;
    for (let behindId = 0, more = true; more && !signal.aborted;) {
      let takenId = 0;
      try {
        more = await this.batch({ behindId }, (id) => (takenId = id));
      } catch (error) {
        if (takenId === 0 || !(error instanceof Error)) throw error;
        // One whose expenses somebody holds does not hold up those behind it.
        behindId = takenId;
        failure = error;
      }
    }
    if (failure) throw failure;
  }

  /**
   * Processes these queue entries, and waits for other workers that process them.
   *
   * @param patienceMs after this time the rest is left to the worker
   * @param signal leaves the rest to the worker after the current batch
   */
  async follow(ids: readonly number[], patienceMs: number, signal?: AbortSignal): Promise<void> {
    const limit = performance.now() + patienceMs;
    const goesOn = () => ids.length > 0 && performance.now() < limit && !signal?.aborted;
    while (goesOn() && (await this.batch({ ids })));
  }

  /** Whether there was anything left to do. */
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
