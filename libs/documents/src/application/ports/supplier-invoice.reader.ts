import type { FilterFields, FilterOf } from '@counterfoil/pagination';
import type { SupplierInvoice } from '../../domain/supplier-invoice';

/** An invoice with whom it is from. */
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
   * All that the filter finds, cancelled ones among them; the newest date first, of one date the one recorded last. In
   * batches, each as of its own moment: none that was there before is left out or comes twice.
   */
  abstract list(
    companyId: number,
    filter: SupplierInvoiceFilter,
  ): AsyncIterable<readonly SupplierInvoiceRow[]>;

  /** Null when this company has no such invoice. */
  abstract find(companyId: number, key: SupplierInvoiceKey): Promise<SupplierInvoiceRow | null>;
}
