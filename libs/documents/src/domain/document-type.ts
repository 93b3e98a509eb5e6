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

/** Parses a type in a path: `TAX_INVOICE`, `tax_invoice`, `tax-invoice`. Null for anything else. */
export function parseDocumentType(text: string): DocumentType | null {
  // Other alphabets have letters whose capitals are Latin.
  if (!/^[a-z_-]+$/i.test(text)) return null;
  const name = text.toUpperCase().replaceAll('-', '_');
  return DOCUMENT_TYPES.find((type) => type === name) ?? null;
}

/** True if the document records received money. */
export function recordsPayments(type: DocumentType): boolean {
  return type === 'RECEIPT' || type === 'TAX_INVOICE_RECEIPT';
}

export function isCreditNote(type: DocumentType): boolean {
  return type === 'REFUND' || type === 'RETURN';
}

/**
 * True for receipts and credit notes, which can be cancelled (contract §8.9). All other types can only be
 * credited.
 */
export function isCancellable(type: DocumentType): boolean {
  return type === 'RECEIPT' || isCreditNote(type);
}

const PAYABLE: readonly DocumentType[] = ['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE'];
const REPLACEABLE: readonly DocumentType[] = ['QUOTE', 'ORDER', 'DELIVERY_NOTE', 'PROFORMA'];
const CREDITABLE: readonly DocumentType[] = [...PAYABLE, 'TAX_INVOICE_RECEIPT'];

/** True if a receipt can pay the document. */
export function isPayable(type: DocumentType): boolean {
  return PAYABLE.includes(type);
}

/** True if the document requests payment, so that it has a due date. */
export function asksForPayment(type: DocumentType): boolean {
  return type === 'TAX_INVOICE' || type === 'PROFORMA';
}

/** True if the client owes the total. A proforma only requests it. */
export function isDebt(type: DocumentType): boolean {
  return type === 'TAX_INVOICE';
}

/** True if a later document can replace it. */
export function isReplaceable(type: DocumentType): boolean {
  return REPLACEABLE.includes(type);
}

/**
 * True if a document of type `covering` may cover one of type `covered`. A receipt pays the documents that it
 * covers. Another document replaces a quote, an order, a delivery note or a proforma. A tax invoice is never
 * replaced: it is paid or credited.
 */
export function mayCover(covering: DocumentType, covered: DocumentType): boolean {
  if (isCreditNote(covering)) return false;
  return covering === 'RECEIPT' ? isPayable(covered) : isReplaceable(covered);
}

/** True if a credit note can be issued for it. */
export function isCreditable(type: DocumentType): boolean {
  return CREDITABLE.includes(type);
}

/** True if the tax authority may give it an allocation number. */
export function mayHaveAllocationNumber(type: DocumentType): boolean {
  return type === 'TAX_INVOICE' || type === 'TAX_INVOICE_RECEIPT';
}
