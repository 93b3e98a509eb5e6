import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import type { Expense } from '../../domain/expense';

export const EXPENSE_FILTERS = {
  search: { kind: 'search', description: 'Part of the title, the notes or the document number.' },
  startDate: { kind: 'day', description: 'On or after.' },
  endDate: { kind: 'day', description: 'On or before.' },
  vendorId: { kind: 'id', description: "The vendor's numeric entity id." },
} as const satisfies FilterFields;
export type ExpenseFilter = FilterOf<typeof EXPENSE_FILTERS>;

/** The first one is the default for unknown values. */
export const EXPENSE_SORTS = ['date', 'id', 'title', 'total', 'tax', 'deductableTax', 'isEquipment'] as const;
/** Sort orders of the list with supplier invoices (contract §11.7). */
export const COMBINED_SORTS = ['date', 'title', 'total'] as const;
export type ExpenseSort = Sort<(typeof EXPENSE_SORTS)[number]>;
export type CombinedSort = Sort<(typeof COMBINED_SORTS)[number]>;

/**
 * A list of expenses, with or without supplier invoices that are not cancelled. Titles are compared in lower
 * case by code points; rows without a title come first. Equal rows are ordered by id in the direction of the
 * sort. If an expense and a supplier invoice have the same id, the expense comes first in an ascending list.
 */
export type ExpenseList = { readonly filter: ExpenseFilter } & (
  | { readonly withSupplierInvoices: false; readonly sort: ExpenseSort }
  | { readonly withSupplierInvoices: true; readonly sort: CombinedSort }
);

export type ExpenseSource = 'EXPENSE' | 'SUPPLIER_INVOICE';

/** An expense with its vendor, its receipt, and the user who recorded it. */
export type ExpenseRow = Omit<Expense, 'companyId' | 'updatedAt'> & {
  readonly source: 'EXPENSE';
  readonly vendorName: string;
  readonly userName: string;
  /** Hash of the receipt's bytes. */
  readonly fileSha256: string;
};

/** A supplier invoice in a list of expenses. */
export type ListedSupplierInvoice = Omit<Expense, 'companyId' | 'updatedAt' | 'userId' | 'fileId'> & {
  readonly source: 'SUPPLIER_INVOICE';
  readonly documentVisibleId: string;
  readonly vendorName: string;
};

/** Reads expenses. */
export abstract class ExpenseReader {
  /** Returns one page. Rows and total come from one snapshot. */
  abstract list(
    companyId: number,
    list: ExpenseList,
    page: PageRequest,
  ): Promise<Page<ExpenseRow | ListedSupplierInvoice>>;

  /** Null if this company has no such expense. */
  abstract find(companyId: number, id: number): Promise<ExpenseRow | null>;
}
