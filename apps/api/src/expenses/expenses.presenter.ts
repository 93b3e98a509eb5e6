import {
  COST_SORTS,
  type ExpenseDetails,
  type ExpenseList,
  type ExpenseRow,
  ratePerUnit,
  type SupplierInvoiceCost,
} from '@counterfoil/expenses';
import type { SentFields } from '../http/sent-fields';
import type { ExpenseIdBody, ExpenseRowBody, SupplierInvoiceCostBody } from './expenses.answers';
import type { CreateExpenseBody, EditExpenseBody, ListExpensesQuery } from './expenses.dto';

/** What was asked for, with what was left out in its place; an empty optional text counts as left out. */
export function askedExpense(body: CreateExpenseBody): ExpenseDetails {
  const { vendorId, fileId, date, total, tax, deductableTax } = body;
  return {
    ...{ entityId: vendorId, fileId, date, total, tax, deductableTax },
    title: body.title || null,
    documentNumber: body.documentNumber || null,
    currency: body.currency ?? 'ILS',
    notes: body.notes || null,
    isEquipment: body.isEquipment ?? false,
  };
}

/** What is to be changed; an empty text clears what is there. */
export function askedChanges({
  vendorId,
  entityId,
  title,
  documentNumber,
  ...others
}: SentFields<EditExpenseBody>): Partial<ExpenseDetails> {
  const vendor = vendorId ?? entityId;
  return {
    ...others,
    ...(vendor === undefined ? {} : { entityId: vendor }),
    ...(title === undefined ? {} : { title: title || null }),
    ...(documentNumber === undefined ? {} : { documentNumber: documentNumber || null }),
  };
}

/** With supplier invoices only date, title and total sort; anything else counts as date (spec: GET /expenses). */
export function askedList(
  { include, ...filter }: ListExpensesQuery,
  sort: (ExpenseList & { readonly withSupplierInvoices: false })['sort'],
): ExpenseList {
  if (include !== 'all') return { filter, sort, withSupplierInvoices: false };
  const by = COST_SORTS.find((key) => key === sort.by) ?? 'date';
  return { filter, sort: { by, descending: sort.descending }, withSupplierInvoices: true };
}

export function expenseAnswer(expenseId: number, possibleDuplicateOf: readonly number[]): ExpenseIdBody {
  const answer = { success: true, expenseId } as const;
  return possibleDuplicateOf.length > 0 ? { ...answer, possibleDuplicateOf } : answer;
}

/** Spec: Expense row. */
export function expenseRow(row: ExpenseRow, remoteUrl: string): ExpenseRowBody {
  const { entityId, userId, fileId } = row;
  return {
    expense: expenseOf(row, fileId),
    vendor: { id: entityId, name: row.vendorName },
    user: { id: userId, name: row.userName },
    file: { id: fileId, remoteUrl },
  };
}

export function supplierInvoiceCost(row: SupplierInvoiceCost): SupplierInvoiceCostBody {
  const { source, documentVisibleId, entityId, vendorName } = row;
  return {
    expense: expenseOf(row, null),
    vendor: { id: entityId, name: vendorName },
    source,
    documentVisibleId,
  };
}

function expenseOf(row: ExpenseRow | SupplierInvoiceCost, fileId: number | null): ExpenseRowBody['expense'] {
  return {
    id: row.id,
    entityId: row.entityId,
    title: row.title,
    date: row.date,
    documentNumber: row.documentNumber,
    currency: row.currency,
    total: row.total,
    tax: row.tax,
    deductableTax: row.deductableTax,
    isEquipment: row.isEquipment,
    notes: row.notes,
    fileId,
    totalInILS: row.totalInILS,
    exchangeRate: ratePerUnit(row),
    exchangeRateDate: row.exchangeRateDate,
    createdAt: row.createdAt.toISOString(),
  };
}
