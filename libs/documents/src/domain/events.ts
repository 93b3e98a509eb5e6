import type { AppError, PlainDate } from '@counterfoil/kernel';
import type { Actor } from './actor';
import type { DocumentHeader, IssuedOrReceived } from './document';
import type { Retainer } from './retainer';
import type { SettlementKind } from './settlement';
import { snapshotOf } from './snapshot';

/** Why a document's settlement changed, as `document.status_changed` says it (decisions §10). */
export type StatusReason = 'ALLOCATION' | 'COVERED' | 'MANUAL';

/** What one document gave to another, with the document as it is afterwards. */
export interface AllocatedTo {
  readonly document: DocumentHeader;
  readonly amount: number;
}

/** What `Outbox.append` takes, but for the company. Bodies are as in decisions §10. */
export interface DocumentEvent {
  readonly type:
    | 'document.created'
    | 'document.status_changed'
    | 'document.allocated'
    | 'document.cancelled'
    | 'document.refunded'
    | 'document.approval_number.assigned'
    | 'retainer.document_refused';
  readonly data: object;
}

export function created(document: IssuedOrReceived): DocumentEvent {
  return { type: 'document.created', data: { document: snapshotOf(document) } };
}

export function statusChanged(
  document: DocumentHeader,
  reason: StatusReason,
  changedBy: Actor,
): DocumentEvent {
  return { type: 'document.status_changed', data: { document: snapshotOf(document), reason, changedBy } };
}

/** A credit note covers what it credits. */
export function reasonOf(kind: SettlementKind): StatusReason {
  return kind === 'ALLOCATION' ? 'ALLOCATION' : 'COVERED';
}

export function allocated(receipt: DocumentHeader, to: readonly AllocatedTo[]): DocumentEvent {
  const allocations = to.map(({ document, amount }) => ({
    documentId: document.id,
    id: document.visibleId,
    number: document.number,
    type: document.type,
    amount,
  }));
  return { type: 'document.allocated', data: { document: snapshotOf(receipt), allocations } };
}

export function cancelled(document: IssuedOrReceived): DocumentEvent {
  const { cancellationReason } = document;
  return { type: 'document.cancelled', data: { document: snapshotOf(document), cancellationReason } };
}

export function refunded(document: DocumentHeader, creditNote: DocumentHeader): DocumentEvent {
  const data = { document: snapshotOf(document), refundedBy: snapshotOf(creditNote) };
  return { type: 'document.refunded', data };
}

export function approvalNumberAssigned(document: DocumentHeader): DocumentEvent {
  return { type: 'document.approval_number.assigned', data: { document: snapshotOf(document) } };
}

/** The document that a retainer has due on a day was refused; it is tried again. */
export function retainerRefused(
  { id, entityId, documentType, currency }: Retainer,
  runDate: PlainDate,
  { code, message }: Pick<AppError, 'code' | 'message'>,
): DocumentEvent {
  const retainer = { id, entityId, documentType, currency };
  return { type: 'retainer.document_refused', data: { retainer, runDate, code, error: message } };
}
