import type { FilterFields, FilterOf } from '@counterfoil/pagination';
import type { SupplierInvoice } from '../../domain/supplier-invoice';

/** An invoice with its vendor. */
export interface SupplierInvoiceRow extends SupplierInvoice {
  readonly vendorVisibleId: string;
  readonly vendorName: string;
}

export const SUPPLIER_INVOICE_FILTERS = {
  startDate: { kind: 'day', description: 'On or after.' },
  endDate: { kind: 'day', description: 'On or before.' },
  vendorId: { kind: 'id', description: "The vendor's numeric entity id." },
} as const satisfies FilterFields;
export type SupplierInvoiceFilter = FilterOf<typeof SUPPLIER_INVOICE_FILTERS>;

/** The id by which an invoice is looked up. */
export type SupplierInvoiceKey = { readonly id: number } | { readonly visibleId: string };

/** Reads supplier invoices. */
export abstract class SupplierInvoiceReader {
  /**
   * Yields all matching invoices, including cancelled ones: latest date first, and within a date the latest
   * recorded first. Each batch has its own snapshot, but no row that existed before the call is left out or
   * repeated.
   */
  abstract list(
    companyId: number,
    filter: SupplierInvoiceFilter,
  ): AsyncIterable<readonly SupplierInvoiceRow[]>;

  /** Null if this company has no such invoice. */
  abstract find(companyId: number, key: SupplierInvoiceKey): Promise<SupplierInvoiceRow | null>;
}
