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

/** By which of its ids an invoice is looked up. */
export type SupplierInvoiceKey = { readonly id: number } | { readonly visibleId: string };

/** Reads supplier invoices. */
export abstract class SupplierInvoiceReader {
  /**
   * All matching invoices, including cancelled ones; the newest date first, and within a date the latest recorded
   * first. In batches, each with a snapshot of its own: no row that existed before is left out or repeated.
   */
  abstract list(
    companyId: number,
    filter: SupplierInvoiceFilter,
  ): AsyncIterable<readonly SupplierInvoiceRow[]>;

  /** Null when this company has no such invoice. */
  abstract find(companyId: number, key: SupplierInvoiceKey): Promise<SupplierInvoiceRow | null>;
}
