import { AppError, type Caller, Clock, datedAfter } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { expenseEvent } from './events';
import { ExpenseTransactions } from './expense-transactions';
import { ExpenseRepository } from './ports/expense.repository';

@Injectable()
export class DeleteExpense {
  constructor(
    private readonly transactions: ExpenseTransactions,
    private readonly expenses: ExpenseRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes an expense and appends an event with its last state. Its receipt stays.
   *
   * @throws AppError `NOT_FOUND`
   */
  execute({ companyId }: Caller, id: number): Promise<void> {
    return this.transactions.run(companyId, async (tx) => {
      const expense = await this.expenses.lock(tx, companyId, id);
      if (!expense) throw new AppError('NOT_FOUND', 'no such expense');
      await this.expenses.remove(tx, companyId, id);
      // Later than the time of all previous events of the expense.
      const deleted = { ...expense, updatedAt: datedAfter(expense.updatedAt, this.clock.now()) };
      await this.outbox.append(tx, companyId, [expenseEvent('expense.deleted', deleted)]);
    });
  }
}
