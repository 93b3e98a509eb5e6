import type { PlainDate } from '@counterfoil/kernel';
import type { DocumentType } from './document-type';

export const DOCUMENT_STATUSES = ['OPEN', 'PARTIALLY_PAID', 'PAID', 'CLOSED', 'CANCELLED'] as const;
/** `CLOSED` means closed by hand, or covered by a later document (contract §8.7). */
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** How a payment of a document was made. The payments context calls a saved card a payment method. */
export const PAYMENT_MEANS = ['CASH', 'CHECK', 'BANK_TRANSFER', 'CREDIT_CARD', 'OTHER'] as const;
export type PaymentMeans = (typeof PAYMENT_MEANS)[number];

export const ALLOCATION_NUMBER_STATUSES = ['PENDING', 'REFUSED'] as const;
export type AllocationNumberStatus = (typeof ALLOCATION_NUMBER_STATUSES)[number];

/** One line of a document. Quantity, unit price and percentages have 4 decimals, the line's total has 2. */
export interface DocumentItem {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discountPercent: number;
  readonly vatRate: number;
  readonly productId: number | null;
  /** Quantity × unit price less the discount, before VAT, rounded to agorot. */
  readonly lineTotal: number;
}

export interface DocumentPayment {
  readonly method: PaymentMeans;
  readonly amount: number;
  readonly date: PlainDate;
  /** One line, such as the number of a check. */
  readonly note: string | null;
}

/** The fields of a document in the list. Amounts of money have 2 decimals. */
export interface DocumentHeader {
  readonly id: number;
  readonly visibleId: string;
  readonly type: DocumentType;
  readonly number: number;
  readonly externalId: string | null;
  readonly entityId: number;
  readonly retainerId: number | null;
  readonly issueDate: PlainDate;
  readonly dueDate: PlainDate | null;
  /** The first day of the period of its retainer. Null if no retainer issued it, or an earlier release did. */
  readonly periodFrom: PlainDate | null;
  /** The last day of that period. */
  readonly periodUntil: PlainDate | null;
  readonly currency: string;
  /** Before VAT. */
  readonly amount: number;
  readonly tax: number;
  readonly totalWithTax: number;
  readonly status: DocumentStatus;
  /** The part of the total that is not settled yet. */
  readonly remainingAmount: number;
  /** The part of the total that is settled. */
  readonly coveredAmount: number;
  readonly allocationNumber: string | null;
  /** `PENDING` until the tax authority decides, `REFUSED` if it refuses a number; otherwise null. */
  readonly allocationNumberStatus: AllocationNumberStatus | null;
  readonly cancelled: boolean;
  readonly cancellationReason: string | null;
  /** The numeric id of the document that this credit note credits. */
  readonly refundOf: number | null;
  readonly notes: string | null;
  readonly createdAt: Date;
  /** Time of the last change. */
  readonly updatedAt: Date;
  /** The number of the company's change in which it was last changed. Numbers ascend in commit order. */
  readonly changeNumber: number;
}

/** An issued document, or a supplier invoice, which is not part of the change feed. */
export interface IssuedOrReceived extends Omit<
  DocumentHeader,
  'type' | 'changeNumber' | 'periodFrom' | 'periodUntil'
> {
  readonly type: DocumentType | 'SUPPLIER_INVOICE';
}

/** The days that a document is about; both of them belong to it. */
export interface Period {
  readonly from: PlainDate;
  readonly until: PlainDate;
}

/** Null if the document is about no period. */
export function periodOf({
  periodFrom: from,
  periodUntil: until,
}: Pick<DocumentHeader, 'periodFrom' | 'periodUntil'>): Period | null {
  return from === null || until === null ? null : { from, until };
}

export function isOpen(status: DocumentStatus): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_PAID';
}
