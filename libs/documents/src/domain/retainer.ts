import { daysAfter, type Interval, occurrence, type PlainDate } from '@counterfoil/kernel';
import type { Period } from './document';
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

/** The actor that issues and sends the documents of retainers, as in events. Indexes of mails name it, so it stays. */
export const RETAINER_ACTOR = 'system:recurring-billing';

/** The document that a retainer issues at each run (contract §8.14). */
export interface RetainerTerms {
  readonly entityId: number;
  readonly documentType: RetainerDocumentType;
  readonly currency: string;
  /** The items as requested. Defaults are filled in when a document is issued. */
  readonly items: readonly NewItem[];
}

/** To whom each document of a retainer is mailed when it is issued, and with which texts. */
export interface RetainerSending {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Null: the service writes it. */
  readonly subject: string | null;
  /** Null: the service writes it. */
  readonly message: string | null;
}

export interface NewRetainer extends RetainerTerms {
  readonly interval: Interval;
  /**
   * The day of the first document. If it is in the past, each missed document is issued with its own date.
   */
  readonly nextRunDate: PlainDate;
  /** Left out or null: nothing is mailed. */
  readonly send?: RetainerSending | null;
}

export interface Retainer extends RetainerTerms {
  readonly id: number;
  readonly send: RetainerSending | null;
}

/** The dates of a retainer. */
interface RetainerDates {
  readonly firstRunDate: PlainDate;
  readonly interval: Interval;
}

/**
 * Returns the days from a due date to the day before the next one.
 *
 * @param index of the due date; 0 is the first
 */
export function retainerPeriod({ firstRunDate, interval }: RetainerDates, index: number): Period {
  const dueDate = (at: number) => occurrence(firstRunDate, interval, at);
  return { from: dueDate(index), until: daysAfter(dueDate(index + 1), -1) };
}

/** Returns the document that is due at the beginning of a period. It settles no other document and has no payments. */
export function documentOf(terms: RetainerTerms, period: Period, retainerId?: number): NewDocument {
  const { entityId, documentType: type, currency, items } = terms;
  return { type, entityId, currency, items, payments: [], issueDate: period.from, period, retainerId };
}
