import type { Interval, PlainDate } from '@counterfoil/kernel';
import type { DocumentType } from './document-type';
import type { NewDocument, NewItem } from './draft-document';

/**
 * The types that can be issued from items alone. Receipts are excluded because they need payments, and credit
 * notes because they return money. An invoice-receipt counts as paid when it is issued, like one from a call
 * without payments.
 */
export const RETAINER_DOCUMENT_TYPES = [
  'TAX_INVOICE',
  'TAX_INVOICE_RECEIPT',
  'PROFORMA',
  'QUOTE',
  'ORDER',
  'DELIVERY_NOTE',
] as const satisfies readonly DocumentType[];
export type RetainerDocumentType = (typeof RETAINER_DOCUMENT_TYPES)[number];

/** The document that a retainer issues at each run (contract §8.14). */
export interface RetainerTerms {
  readonly entityId: number;
  readonly documentType: RetainerDocumentType;
  readonly currency: string;
  /** The items as requested. Defaults are filled in when a document is issued. */
  readonly items: readonly NewItem[];
}

export interface NewRetainer extends RetainerTerms {
  readonly interval: Interval;
  /**
   * The day of the first document. If it is in the past, each missed document is issued with its own date.
   */
  readonly nextRunDate: PlainDate;
}

export interface Retainer extends RetainerTerms {
  readonly id: number;
}

/** Returns the document that is due on a day. It settles no other document and has no payments. */
export function documentOf(terms: RetainerTerms, runDate: PlainDate, retainerId?: number): NewDocument {
  const { entityId, documentType: type, currency, items } = terms;
  return { type, entityId, currency, items, payments: [], issueDate: runDate, retainerId };
}
