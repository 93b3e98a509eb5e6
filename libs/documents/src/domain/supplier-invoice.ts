import { decimal, type PlainDate, toMoney } from '@counterfoil/kernel';
import type { IssuedOrReceived } from './document';

/** An invoice as stated on the vendor's document. Amounts of money have 2 decimals. */
export interface SupplierInvoiceDetails {
  /** The vendor's numeric entity id. */
  readonly vendorId: number;
  /** The vendor's document number. */
  readonly documentNumber: string;
  readonly date: PlainDate;
  readonly title: string | null;
  readonly currency: string;
  /** With tax. */
  readonly total: number;
  readonly tax: number;
  /** The reclaimable part of the tax. */
  readonly deductableTax: number;
  readonly notes: string | null;
}

/** A supplier invoice: a received document with a type of its own (contract §11.6). */
export interface SupplierInvoice extends SupplierInvoiceDetails {
  /** From the same sequence as the ids of documents, so it identifies no other document. */
  readonly id: number;
  readonly visibleId: string;
  /** Consecutive within the company, without gaps. */
  readonly number: number;
  readonly cancelled: boolean;
  readonly cancellationReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * Presents the invoice like any other document. It is never settled, and a cancelled one has no open amount.
 */
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
    allocationNumber: null,
    allocationNumberStatus: null,
    cancelled,
    refundOf: null,
  };
}
