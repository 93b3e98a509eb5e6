import { readableFields, selectColumns } from '@counterfoil/database';
import { ExpenseSchema } from './expense.schema';

const FIELDS = readableFields(ExpenseSchema);
const HIDDEN = ['companyId', 'updatedAt'];

/** The columns of `expenses e` that lists show. */
export const SHOWN_COLUMNS = selectColumns(
  ExpenseSchema,
  'e',
  FIELDS.filter((field) => !HIDDEN.includes(field)),
);

/** All columns of `expenses e`. */
export const EXPENSE_COLUMNS = selectColumns(ExpenseSchema, 'e', FIELDS);
