export const DOCUMENT_TYPES = [
  'TAX_INVOICE',
  'TAX_INVOICE_RECEIPT',
  'RECEIPT',
  'REFUND',
  'RETURN',
  'PROFORMA',
  'QUOTE',
  'ORDER',
  'DELIVERY_NOTE',
] as const;
/** What a company issues (decisions §9). `REFUND` and `RETURN` are credit notes. */
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Reads a type as it may stand in a path: `TAX_INVOICE`, `tax_invoice`, `tax-invoice`. Null for any other. */
export function parseDocumentType(text: string): DocumentType | null {
  const name = text.toUpperCase().replaceAll('-', '_');
  return DOCUMENT_TYPES.find((type) => type === name) ?? null;
}

/** Whether the document records money received. */
export function recordsPayments(type: DocumentType): boolean {
  return type === 'RECEIPT' || type === 'TAX_INVOICE_RECEIPT';
}
