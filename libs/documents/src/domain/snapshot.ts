import { type DocumentHeader, isOpen, type IssuedOrReceived } from './document';

/**
 * A document as events carry it (spec: Event envelope and document snapshot). Here `id` is the public id and
 * `documentId` the number; line items, contact details, addresses and payments never are part of it.
 */
export function snapshotOf<Document extends IssuedOrReceived>(document: Document) {
  return {
    id: document.visibleId,
    documentId: document.id,
    type: document.type as Document['type'],
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
    taxAuthorityApprovalNumber: document.taxAuthorityApprovalNumber,
    approvalNumberStatus: document.approvalNumberStatus,
    cancelled: document.cancelled,
  };
}

export type DocumentSnapshot = ReturnType<typeof snapshotOf<DocumentHeader>>;
