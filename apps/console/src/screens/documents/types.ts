import type { AnswerOf, BodyOf } from '@counterfoil/sdk';

export type Document = AnswerOf<'GET /documents/id/{visibleId}'>;
export type DocumentType = BodyOf<'POST /documents/preview'>['type'];
export type DocumentStatus = Document['status'];

/** As the API lists them. */
export const TYPES = [
  'TAX_INVOICE',
  'TAX_INVOICE_RECEIPT',
  'RECEIPT',
  'REFUND',
  'RETURN',
  'PROFORMA',
  'QUOTE',
  'ORDER',
  'DELIVERY_NOTE',
] as const satisfies readonly DocumentType[];

export const STATUSES = [
  'OPEN',
  'PARTIALLY_PAID',
  'PAID',
  'CLOSED',
  'CANCELLED',
] as const satisfies readonly DocumentStatus[];

const among = (type: string, types: readonly DocumentType[]) => types.some((one) => one === type);

export const isCredit = (type: string): boolean => among(type, ['REFUND', 'RETURN']);
/** A receipt may be allocated to it. */
export const isPayable = (type: string): boolean =>
  among(type, ['TAX_INVOICE', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE']);
/** A later document may replace it. */
export const isCoverable = (type: string): boolean =>
  among(type, ['QUOTE', 'ORDER', 'DELIVERY_NOTE', 'PROFORMA']);
/** A credit note may name it. */
export const isCreditable = (type: string): boolean =>
  among(type, ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'PROFORMA', 'ORDER', 'DELIVERY_NOTE']);
export const isCancellable = (type: string): boolean => among(type, ['RECEIPT', 'REFUND', 'RETURN']);
export const hasInvoiceFile = (type: string): boolean =>
  among(type, ['TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'REFUND', 'RETURN']);
/** Clients are reminded of what asks for payment by a day (contract §8.19). */
export const hasReminders = ({ type, dueDate }: Document): boolean =>
  dueDate !== null && among(type, ['TAX_INVOICE', 'PROFORMA']);
export const hasItems = (type: string): boolean => !among(type, ['RECEIPT']);
export const hasPayments = (type: string): boolean => among(type, ['RECEIPT', 'TAX_INVOICE_RECEIPT']);
