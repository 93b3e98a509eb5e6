/** The fields of a receipt (contract §12.3). Missing or doubtful ones are left out. */
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

/** Where the text came from: e-invoice XML, a PDF's text layer, HTML or plain text, or recognised images. */
export type ReadingSource = 'xml' | 'pdf-text' | 'text' | 'ocr';

export interface Reading {
  readonly fields: ReceiptFields;
  /** 0 to 1 for each field that is there: how sure the reader is of it. */
  readonly confidence: Readonly<Partial<Record<FieldName, number>>>;
  readonly source: ReadingSource;
  /** Pages read, at most 10. */
  readonly pages: number;
}
