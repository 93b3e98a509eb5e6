import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { assertTaxes, type Caller, Clock, type Transaction } from '@counterfoil/kernel';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { expenseEvent } from './events';
import type { ExpenseDetails } from '../domain/expense';
import { CurrencyConversion } from './currency-conversion';
import { ExpenseReferences } from './expense-references';
import { ExpenseTransactions } from './expense-transactions';
import { ExpenseRepository } from './ports/expense.repository';

/** Maximum number of likely duplicates in the answer. */
export const DUPLICATES_MAX = 20;

export interface RecordedExpense {
  readonly id: number;
  /** Ids of likely duplicates, oldest first; empty if there are none. */
  readonly possibleDuplicateOf: readonly number[];
}

@Injectable()
export class CreateExpense {
  constructor(
    private readonly transactions: ExpenseTransactions,
    private readonly idempotency: Idempotency,
    private readonly references: ExpenseReferences,
    private readonly conversion: CurrencyConversion,
    private readonly expenses: ExpenseRepository,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Records an expense, even if it is a likely duplicate.
   *
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `UNKNOWN_REFERENCE` for a vendor or file that this company does not have,
   * `VALIDATION_FAILED` for
   *   impossible taxes (contract §11.1)
   */
  async execute(
    { companyId, userId }: Caller,
    details: ExpenseDetails,
    call: IdempotentCall<RecordedExpense> | null = null,
  ): Promise<RecordedExpense> {
    assertTaxes(details);
    await this.references.assertKnown(companyId, details);
    const record = async (tx: Transaction) => {
      const converted = await this.conversion.convert(tx, companyId, details);
      const createdAt = this.clock.now();
      const origin = { companyId, userId, createdAt, updatedAt: createdAt };
      const expense = await this.expenses.insert(tx, { ...details, ...converted, ...origin });
      const possibleDuplicateOf = await this.expenses.duplicatesOf(tx, expense, DUPLICATES_MAX);
      await this.outbox.append(tx, companyId, [expenseEvent('expense.created', expense)]);
      return { id: expense.id, possibleDuplicateOf };
    };
    return this.transactions.run(companyId, this.idempotency.wrap(companyId, call, record));
  }
}
