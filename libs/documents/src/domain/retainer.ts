import type { Interval, PlainDate } from '@counterfoil/kernel';
import type { DocumentType } from './document-type';
import type { NewDocument, NewItem } from './draft-document';

/**
 * What can be issued from items alone: no receipts, which need payments, and nothing that gives money back. An invoice
 * with a receipt counts as paid when it is issued, as one without payments does that a call issues.
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

/** What a retainer issues each time (decisions §4). */
export interface RetainerTerms {
  readonly entityId: number;
  readonly documentType: RetainerDocumentType;
  readonly currency: string;
  /** As they were asked for: what was left out is filled in when a document is issued. */
  readonly items: readonly NewItem[];
}

export interface NewRetainer extends RetainerTerms {
  readonly interval: Interval;
  /** The first day on which a document is due; of those in the past, each is issued with its own date. */
  readonly nextRunDate: PlainDate;
}

export interface Retainer extends RetainerTerms {
  readonly id: number;
}

/** The document that is due on a day. It settles no other, and has no payments. */
export function documentOf(terms: RetainerTerms, runDate: PlainDate, retainerId?: number): NewDocument {
  const { entityId, documentType: type, currency, items } = terms;
  return { type, entityId, currency, items, payments: [], issueDate: runDate, retainerId };
}
