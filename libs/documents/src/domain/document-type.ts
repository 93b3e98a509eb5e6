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
/** The types of documents that a company issues (contract §8.1). `REFUND` and `RETURN` are credit notes. */
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Reads a type as it may appear in a path: `TAX_INVOICE`, `tax_invoice`, `tax-invoice`. Null for any other. */
export function parseDocumentType(text: string): DocumentType | null {
  const name = text.toUpperCase().replaceAll('-', '_');
  return DOCUMENT_TYPES.find((type) => type === name) ?? null;
}

/** Whether the document records money received. */
export function recordsPayments(type: DocumentType): boolean {
  return type === 'RECEIPT' || type === 'TAX_INVOICE_RECEIPT';
}

export function isCreditNote(type: DocumentType): boolean {
  return type === 'REFUND' || type === 'RETURN';
}

/** The types that can be cancelled: receipts and credit notes (contract §8.9). All others can only be credited. */
export function isCancellable(type: DocumentType): boolean {
  return type === 'RECEIPT' || isCreditNote(type);
}

const PAYABLE: readonly DocumentType[] = ['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'];
const REPLACEABLE: readonly DocumentType[] = ['QUOTE', 'ORDER', 'DELIVERY_NOTE', 'PROFORMA'];
const CREDITABLE: readonly DocumentType[] = [...PAYABLE, 'TAX_INVOICE_RECEIPT'];

/** Whether a receipt can pay for it. */
export function isPayable(type: DocumentType): boolean {
  return PAYABLE.includes(type);
}

/** Whether it asks for money, and so has a day on which it is due. */
export function asksForPayment(type: DocumentType): boolean {
  return type === 'TAX_INVOICE' || type === 'PROFORMA';
}

/** Whether the client owes its total. A proforma only asks. */
export function isDebt(type: DocumentType): boolean {
  return type === 'TAX_INVOICE';
}

/** Whether a later document can take its place. */
export function isReplaceable(type: DocumentType): boolean {
  return REPLACEABLE.includes(type);
}

/**
 * Whether a document of type `covering` may cover one of type `covered`. A receipt pays the documents that it covers;
 * another document replaces a quote, an order, a delivery note or a proforma. A tax invoice is never replaced: it is
 * paid or credited.
 */
export function mayCover(covering: DocumentType, covered: DocumentType): boolean {
  if (isCreditNote(covering)) return false;
  return covering === 'RECEIPT' ? isPayable(covered) : isReplaceable(covered);
}

/** Whether a credit note can be issued against it. */
export function isCreditable(type: DocumentType): boolean {
  return CREDITABLE.includes(type);
}

/** Whether the tax authority gives it an allocation number. */
export function mayHaveApprovalNumber(type: DocumentType): boolean {
  return type === 'TAX_INVOICE' || type === 'TAX_INVOICE_RECEIPT';
}
