import { readableFields, selectColumns } from '@counterfoil/database';
import type { Expense } from '../../domain/expense';
import { ExpenseSchema } from './expense.schema';

export type ShownField = keyof Omit<Expense, 'companyId' | 'updatedAt'>;

const FIELDS = readableFields(ExpenseSchema);
/** The fields that lists show. */
export const SHOWN_FIELDS = FIELDS.filter(
  (field): field is ShownField => field !== 'companyId' && field !== 'updatedAt',
);

/** The columns of `expenses e` that lists show, in the order of `SHOWN_FIELDS`. */
export const SHOWN_COLUMNS = selectColumns(ExpenseSchema, 'e', SHOWN_FIELDS);

/** All columns of `expenses e`. */
export const EXPENSE_COLUMNS = selectColumns(ExpenseSchema, 'e', FIELDS);
