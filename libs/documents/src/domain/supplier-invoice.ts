import { decimal, type PlainDate, toMoney } from '@counterfoil/kernel';
import type { IssuedOrReceived } from './document';

/** The charge of a vendor, as on the vendor's document. Amounts of money have 2 decimals. */
export interface SupplierInvoiceDetails {
  /** The vendor's numeric entity id. */
  readonly vendorId: number;
  /** The number that the vendor gave it. */
  readonly documentNumber: string;
  readonly date: PlainDate;
  readonly title: string | null;
  readonly currency: string;
  /** With tax. */
  readonly total: number;
  readonly tax: number;
  /** The part of the tax that is reclaimed. */
  readonly deductableTax: number;
  readonly notes: string | null;
}

/** A supplier invoice: a document of its own type, which was received and not issued (contract §11.6). */
export interface SupplierInvoice extends SupplierInvoiceDetails {
  /** Of the numbers that documents have: it names no other document. */
  readonly id: number;
  readonly visibleId: string;
  /** Runs without gaps in the company. */
  readonly number: number;
  readonly cancelled: boolean;
  readonly cancellationReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The invoice as every other document is shown: nothing of it is settled here, and nothing is open once cancelled. */
export function asDocument(invoice: SupplierInvoice): IssuedOrReceived {
  const {
    vendorId,
    date,
    total,
    tax,
    cancelled,
    documentNumber: _,
    title: _t,
    deductableTax: _d,
    ...own
  } = invoice;
  return {
    ...own,
    type: 'SUPPLIER_INVOICE',
    externalId: null,
    entityId: vendorId,
    retainerId: null,
    issueDate: date,
    dueDate: null,
    amount: toMoney(decimal(total).minus(tax)),
    tax,
    totalWithTax: total,
    status: cancelled ? 'CANCELLED' : 'OPEN',
    remainingAmount: cancelled ? 0 : total,
    coveredAmount: 0,
    taxAuthorityApprovalNumber: null,
    approvalNumberStatus: null,
    cancelled,
    refundOf: null,
  };
}
