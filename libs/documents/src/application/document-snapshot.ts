import {
  choice,
  CURRENCY,
  flag,
  formatted,
  integer,
  number,
  orNull,
  text,
  titled,
  type ValueOf,
} from '@counterfoil/outbox';
import {
  ALLOCATION_NUMBER_STATUSES,
  DOCUMENT_STATUSES,
  isOpen,
  type IssuedOrReceived,
} from '../domain/document';
import { DOCUMENT_TYPES } from '../domain/document-type';

export const DOCUMENT_TYPE = choice(
  [...DOCUMENT_TYPES, 'SUPPLIER_INVOICE'],
  'REFUND and RETURN are credit notes. A SUPPLIER_INVOICE was received, not issued.',
);
export const DOCUMENT_NUMBER = integer('Consecutive for each company and type, without gaps.');

/**
 * The state of a document at the time of the event (contract §15.6). Here `id` is the public id, and
 * `documentId` the numeric one.
 */
export const DOCUMENT = titled('DocumentSnapshot', {
  id: formatted('uuid', 'The public id.'),
  documentId: integer('The numeric id, as used in allocations of receipts.'),
  type: DOCUMENT_TYPE,
  number: DOCUMENT_NUMBER,
  externalId: orNull(text('The id in the issuing system; unique within the company.')),
  entityId: integer('The numeric id of the client, or of the vendor for a SUPPLIER_INVOICE.'),
  retainerId: orNull(integer('The numeric id of the retainer that it belongs to.')),
  issueDate: formatted('date', 'The date on the document.'),
  updatedAt: formatted(
    'date-time',
    'When it last changed, in UTC. Ignore an event that is older than what you know of the document.',
  ),
  currency: CURRENCY,
  amount: number('Before VAT.'),
  tax: number('The VAT.'),
  totalWithTax: number('With VAT.'),
  status: choice(
    DOCUMENT_STATUSES,
    'PAID: paid by receipts. CLOSED: closed by hand, or fully covered or credited by other documents.',
  ),
  isOpen: flag('Whether the status is OPEN or PARTIALLY_PAID.'),
  remainingAmount: number('The part of the total that is not settled yet.'),
  coveredAmount: number('The part of the total that is settled.'),
  taxAuthorityApprovalNumber: orNull(text("The tax authority's allocation number.")),
  approvalNumberStatus: orNull(
    choice(
      ALLOCATION_NUMBER_STATUSES,
      'PENDING while the tax authority has not decided, REFUSED if it refused a number; null if the document has one or needs none.',
    ),
  ),
  cancelled: flag('Whether it was cancelled.'),
});
export type DocumentSnapshot = ValueOf<typeof DOCUMENT>;

export function snapshotOf(document: IssuedOrReceived): DocumentSnapshot {
  return {
    id: document.visibleId,
    documentId: document.id,
    type: document.type,
    number: document.number,
    externalId: document.externalId,
    entityId: document.entityId,
    retainerId: document.retainerId,
    issueDate: document.issueDate,
    updatedAt: document.updatedAt.toISOString(),
    currency: document.currency,
    amount: document.amount,
    tax: document.tax,
    totalWithTax: document.totalWithTax,
    status: document.status,
    isOpen: isOpen(document.status),
    remainingAmount: document.remainingAmount,
    coveredAmount: document.coveredAmount,
    taxAuthorityApprovalNumber: document.allocationNumber,
    approvalNumberStatus: document.allocationNumberStatus,
    cancelled: document.cancelled,
  };
}

// The examples tell one story of a company: an invoice is issued, paid in part and credited.

export const INVOICE: DocumentSnapshot = {
  id: '6f1d7c52-0b0e-4c86-9a5e-2f4d8a1b7c90',
  documentId: 4182,
  type: 'TAX_INVOICE',
  number: 1042,
  externalId: 'order-7731',
  entityId: 318,
  retainerId: null,
  issueDate: '2026-11-22',
  updatedAt: '2026-11-22T08:00:00.412Z',
  currency: 'ILS',
  amount: 6000,
  tax: 1080,
  totalWithTax: 7080,
  status: 'OPEN',
  isOpen: true,
  remainingAmount: 7080,
  coveredAmount: 0,
  taxAuthorityApprovalNumber: null,
  approvalNumberStatus: 'PENDING',
  cancelled: false,
};
export const INVOICE_WITH_ALLOCATION_NUMBER: DocumentSnapshot = {
  ...INVOICE,
  updatedAt: '2026-11-22T08:00:09.733Z',
  taxAuthorityApprovalNumber: '202611220',
  approvalNumberStatus: null,
};
export const RECEIPT: DocumentSnapshot = {
  ...INVOICE,
  id: 'c0a8f3de-91b4-4f0b-8d57-5b1e6a2c3d44',
  documentId: 4190,
  type: 'RECEIPT',
  number: 377,
  externalId: null,
  updatedAt: '2026-11-22T09:15:30.018Z',
  amount: 2000,
  tax: 0,
  totalWithTax: 2000,
  status: 'PAID',
  isOpen: false,
  remainingAmount: 0,
  coveredAmount: 2000,
  approvalNumberStatus: null,
};
export const CREDIT_NOTE: DocumentSnapshot = {
  ...RECEIPT,
  id: '2b9e4a17-6c3f-4d28-b1a0-7e8f9c5d6b31',
  documentId: 4203,
  type: 'REFUND',
  number: 58,
  updatedAt: '2026-11-22T11:40:00.655Z',
  amount: 1000,
  tax: 180,
  totalWithTax: 1180,
  coveredAmount: 1180,
};
