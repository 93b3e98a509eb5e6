import { AppError, assertTaxes, type Caller, Clock, datedAfter, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { expenseEvent } from './events';
import { changesShekels, type Expense, type ExpenseDetails, realChanges } from '../domain/expense';
import { CurrencyConversion } from './currency-conversion';
import { DUPLICATES_MAX } from './create-expense';
import { ExpenseReferences, type VendorField } from './expense-references';
import { ExpenseTransactions } from './expense-transactions';
import { ExpenseRepository } from './ports/expense.repository';

@Injectable()
export class EditExpense {
  constructor(
    private readonly transactions: ExpenseTransactions,
    private readonly references: ExpenseReferences,
    private readonly conversion: CurrencyConversion,
    private readonly expenses: ExpenseRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Changes the given fields and leaves the others. Without a difference there is no event. If the date, the
   * currency or the total changes, the amount is converted to shekels again with the applicable rate
   * (contract §11.8).
   *
   * @throws AppError `NOT_FOUND`, `UNKNOWN_REFERENCE` for a vendor or file that this company does not have,
   *   `VALIDATION_FAILED` for impossible taxes
   */
  async execute(
    { companyId }: Caller,
    id: number,
    input: Partial<ExpenseDetails>,
    vendorField?: VendorField,
  ): Promise<readonly number[]> {
    await this.references.assertKnown(companyId, input, vendorField);
    return this.transactions.run(companyId, async (tx) => {
      if (changesShekels(input)) await this.conversion.lock(tx, companyId);
      const before = await this.expenses.lock(tx, companyId, id);
      if (!before) throw new AppError('NOT_FOUND', 'no such expense');
      const changes = realChanges(before, input);
      if (Object.keys(changes).length > 0) {
        const after = await this.changed(tx, before, changes);
        await this.expenses.save(tx, after);
        await this.outbox.append(tx, companyId, [expenseEvent('expense.updated', after)]);
      }
      return this.expenses.duplicatesOf(tx, before, DUPLICATES_MAX);
    });
  }

  private async changed(
    tx: Transaction,
    before: Expense,
    changes: Partial<ExpenseDetails>,
  ): Promise<Expense> {
    // Read the clock under the lock, so that the later of two concurrent edits has the later time.
    const after = { ...before, ...changes, updatedAt: datedAfter(before.updatedAt, this.clock.now()) };
    assertTaxes(after);
    if (!changesShekels(changes)) return after;
    return { ...after, ...(await this.conversion.convert(tx, before.companyId, after)) };
  }
}
