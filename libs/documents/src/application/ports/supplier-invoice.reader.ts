import type { PlainDate } from '@counterfoil/kernel';
import type { SupplierInvoice } from '../../domain/supplier-invoice';

/** An invoice with whom it is from. */
export interface SupplierInvoiceRow extends SupplierInvoice {
  readonly vendorVisibleId: string;
  readonly vendorName: string;
}

export interface SupplierInvoiceFilter {
  /** On or after. */
  readonly startDate?: PlainDate | undefined;
  /** On or before. */
  readonly endDate?: PlainDate | undefined;
  readonly vendorId?: number | undefined;
}

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
