import { FaultPoints, type Transaction, Transactions } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { expenseEvent } from './events';
import type { Expense } from '../domain/expense';
import { ExpenseRevaluation } from './ports/expense-revaluation';

/** Expenses that are looked at in one transaction. */
const BATCH = 500;

/**
 * Converts the expenses that rates have come for (decisions §6). Each batch remembers how far it came in the transaction
 * that converts it, so that whoever goes on, after a crash or beside another, goes on there.
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
   * Works off whatever has arrived and nobody else is at work on.
   *
   * @throws what an arrival could not be worked off for, once all the others are
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
   * Works off these arrivals, and waits for whoever is at work on them.
   *
   * @param patienceMs after which the rest is left to the worker
   * @param signal leaves the rest to the worker after the batch that runs
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
