import type { EInvoiceSyntax } from '../../domain/rendition';
import type { EInvoice } from './e-invoice';

/** Writes e-invoices. */
export abstract class EInvoiceWriter {
  /** Returns the XML in UTF-8, with the same bytes for the same invoice. */
  abstract write(invoice: EInvoice, syntax: EInvoiceSyntax): Buffer;
}
