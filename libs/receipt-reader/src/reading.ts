import type { Place } from './place';

/** Maximum number of pages that are read of a document. */
export const PAGES_MAX = 10;

/** The fields of a receipt (contract §12.3). Missing or uncertain fields are left out. */
export interface ReceiptFields {
  readonly vendorName?: string;
  /** Letters and digits as printed, without spaces. */
  readonly vendorTaxId?: string;
  readonly documentNumber?: string;
  /** YYYY-MM-DD */
  readonly date?: string;
  /** ISO 4217 */
  readonly currency?: string;
  /** With tax, in major units of the currency. */
  readonly total?: number;
  /** In the document's currency, major units. */
  readonly tax?: number;
}

export type FieldName = keyof ReceiptFields;

export const FIELD_NAMES = [
  'vendorName',
  'vendorTaxId',
  'documentNumber',
  'date',
  'currency',
  'total',
  'tax',
] as const satisfies readonly FieldName[];

/** Origin of the text: e-invoice XML, the text layer of a PDF, HTML or plain text, or OCR. */
export type ReadingSource = 'xml' | 'pdf-text' | 'text' | 'ocr';

export interface Reading {
  readonly fields: ReceiptFields;
  /** Confidence of each field that was found, 0 to 1. */
  readonly confidence: Readonly<Partial<Record<FieldName, number>>>;
  /** Of the fields that are printed on a page with coordinates: a PDF or an image. */
  readonly places?: Readonly<Partial<Record<FieldName, Place>>>;
  readonly source: ReadingSource;
  /** Number of pages read, at most `PAGES_MAX`. */
  readonly pages: number;
  /** Number of pages of the document, if not all of them were read. */
  readonly pageCount?: number;
  /** Number of pages that were left out because they are damaged. */
  readonly unreadablePages?: number;
}

/** True if pages were left out because the time was up. Another reading may find more. */
export function isCutShort({ pages, pageCount = pages, unreadablePages = 0 }: Reading): boolean {
  return pages + unreadablePages < Math.min(pageCount, PAGES_MAX);
}
