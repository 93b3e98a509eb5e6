import { aDocument } from '../testing/a-document';
import {
  allocated,
  allocationNumberAssigned,
  cancelled,
  created,
  reasonOf,
  refunded,
  statusChanged,
} from './events';
import { snapshotOf } from './document-snapshot';

/** The exact fields of a snapshot, in order (contract §15.6). */
const SNAPSHOT_FIELDS = [
  'id',
  'documentId',
  'type',
  'number',
  'externalId',
  'entityId',
  'retainerId',
  'issueDate',
  'updatedAt',
  'currency',
  'amount',
  'tax',
  'totalWithTax',
  'status',
  'isOpen',
  'remainingAmount',
  'coveredAmount',
  'taxAuthorityApprovalNumber',
  'approvalNumberStatus',
  'cancelled',
];

const document = aDocument({ id: 41, number: 7, externalId: 'order-1', notes: 'private' });
const snapshot = snapshotOf(document);

describe('a snapshot', () => {
  it('has exactly the fields of contract §15.6, even if the document has more', () => {
    expect(Object.keys(snapshotOf({ ...document, items: [], payments: [] } as typeof document))).toEqual(
      SNAPSHOT_FIELDS,
    );
  });

  it('has the public id as id, the numeric one as documentId, and its time in UTC', () => {
    expect(snapshot).toMatchObject({
      id: document.visibleId,
      documentId: 41,
      number: 7,
      externalId: 'order-1',
      updatedAt: '2026-11-21T09:00:00.000Z',
    });
  });

  it.each([
    ['OPEN', true],
    ['PARTIALLY_PAID', true],
    ['PAID', false],
    ['CLOSED', false],
    ['CANCELLED', false],
  ] as const)('of a document that is %s has isOpen: %s', (status, isOpen) => {
    expect(snapshotOf(aDocument({ status }))).toMatchObject({ status, isOpen });
  });
});

describe('an event (contract §15.4)', () => {
  it.each([
    ['document.created', created(document)],
    ['document.approval_number.assigned', allocationNumberAssigned(document)],
  ])('%s has only the snapshot', (type, event) => {
    expect(event).toEqual({ type, data: { document: snapshot } });
  });

  it('document.status_changed has the reason and the author', () => {
    expect(statusChanged(document, 'MANUAL', 'api-key:3')).toEqual({
      type: 'document.status_changed',
      data: { document: snapshot, reason: 'MANUAL', changedBy: 'api-key:3' },
    });
  });

  it.each([
    ['ALLOCATION', 'ALLOCATION'],
    ['COVER', 'COVERED'],
    ['CREDIT', 'COVERED'],
  ] as const)('of a settlement by %s has the reason %s', (kind, reason) => {
    expect(reasonOf(kind)).toBe(reason);
  });

  it('document.allocated has each paid document with the amount', () => {
    const receipt = aDocument({ id: 50, type: 'RECEIPT' });
    const order = aDocument({ id: 42, type: 'ORDER', number: 3 });
    const event = allocated(receipt, [
      { document: order, amount: 18.5 },
      { document, amount: 99.5 },
    ]);
    expect(event).toEqual({
      type: 'document.allocated',
      data: {
        document: snapshotOf(receipt),
        allocations: [
          { documentId: 42, id: order.visibleId, number: 3, type: 'ORDER', amount: 18.5 },
          { documentId: 41, id: document.visibleId, number: 7, type: 'TAX_INVOICE', amount: 99.5 },
        ],
      },
    });
  });

  it('document.cancelled has the reason', () => {
    const cancellationReason = 'נרשם בטעות';
    const receipt = aDocument({ status: 'CANCELLED', cancelled: true, cancellationReason });
    expect(cancelled(receipt, cancellationReason)).toEqual({
      type: 'document.cancelled',
      data: { document: snapshotOf(receipt), cancellationReason },
    });
  });

  it('document.refunded has the snapshot of the credit note', () => {
    const creditNote = aDocument({ id: 60, type: 'REFUND', refundOf: 41 });
    expect(refunded(document, creditNote)).toEqual({
      type: 'document.refunded',
      data: { document: snapshot, refundedBy: snapshotOf(creditNote) },
    });
  });
});
