import type { Expense } from './expense';
import { ratePerUnit } from './rate-per-unit';

/** What `Outbox.append` takes, but for the company. */
export interface ExpenseEvent {
  readonly type: 'expense.created' | 'expense.updated' | 'expense.deleted';
  readonly data: object;
}

/** The expense as it is, or was when it was deleted. Neither what it was for nor the notes: those stay in the service. */
export function expenseEvent(type: ExpenseEvent['type'], expense: Expense): ExpenseEvent {
  return {
    type,
    data: {
      expense: {
        id: expense.id,
        entityId: expense.entityId,
        userId: expense.userId,
        fileId: expense.fileId,
        date: expense.date,
        documentNumber: expense.documentNumber,
        currency: expense.currency,
        total: expense.total,
        tax: expense.tax,
        deductableTax: expense.deductableTax,
        isEquipment: expense.isEquipment,
        totalInILS: expense.totalInILS,
        exchangeRate: ratePerUnit(expense),
        exchangeRateDate: expense.exchangeRateDate,
        createdAt: expense.createdAt.toISOString(),
        updatedAt: expense.updatedAt.toISOString(),
      },
    },
  };
}
