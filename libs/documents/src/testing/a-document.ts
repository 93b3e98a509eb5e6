import type { DocumentHeader } from '../domain/document';

/** An open tax invoice over 118, with these changes. */
export function aDocument(changes: Partial<DocumentHeader> = {}): DocumentHeader {
  const id = changes.id ?? 1;
  return {
    id,
    visibleId: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    type: 'TAX_INVOICE',
    number: 1,
    externalId: null,
    entityId: 7,
    retainerId: null,
    issueDate: '2026-11-21',
    dueDate: null,
    periodFrom: null,
    periodUntil: null,
    currency: 'ILS',
    amount: 100,
    tax: 18,
    totalWithTax: 118,
    status: 'OPEN',
    remainingAmount: 118,
    coveredAmount: 0,
    allocationNumber: null,
    allocationNumberStatus: null,
    cancelled: false,
    cancellationReason: null,
    refundOf: null,
    notes: null,
    createdAt: new Date('2026-11-21T08:00:00.000Z'),
    updatedAt: new Date('2026-11-21T09:00:00.000Z'),
    changeNumber: 1,
    ...changes,
  };
}
