import type { FeedDocument } from '@counterfoil/sdk';

export type ChangedDocument = FeedDocument;

/** Some batches of the feed, and where it goes on (contract §10.2). */
export interface ChangesPage {
  readonly data: readonly ChangedDocument[];
  /** Null before the first change. */
  readonly checkpoint: string | null;
  readonly hasMore: boolean;
}

/** The keys of the texts that tell a change. */
export type Wording =
  | 'cancelled'
  | 'issued'
  | 'issuedAwaited'
  | 'issuedRefused'
  | 'settled'
  | 'paidInPart'
  | 'closed'
  | 'numberRecorded'
  | 'numberRefused'
  | 'changed';

/**
 * Says in words what the last change of a document was. The feed has documents in their latest state and no events
 * (contract §10.1), so this is read from the state and the two times.
 */
export function wordingOf(document: ChangedDocument): Wording {
  const { cancelled, createdAt, updatedAt, approvalNumberStatus } = document;
  if (cancelled) return 'cancelled';
  if (createdAt === updatedAt) return ISSUED[approvalNumberStatus ?? 'NONE'];
  return wordingOfState(document);
}

const ISSUED = { PENDING: 'issuedAwaited', REFUSED: 'issuedRefused', NONE: 'issued' } as const;

function wordingOfState(document: ChangedDocument): Wording {
  const { status, approvalNumberStatus, taxAuthorityApprovalNumber, type } = document;
  if (status === 'PARTIALLY_PAID') return 'paidInPart';
  // It is paid from the beginning: only its number can have been recorded or refused since.
  const isPaidAtIssue = type === 'TAX_INVOICE_RECEIPT' || type === 'RECEIPT';
  if (status === 'PAID' && !isPaidAtIssue) return 'settled';
  if (status === 'CLOSED') return 'closed';
  if (approvalNumberStatus === 'REFUSED') return 'numberRefused';
  if (taxAuthorityApprovalNumber !== null) return 'numberRecorded';
  return status === 'OPEN' ? 'changed' : 'settled';
}

/** The documents of all batches, the newest change first. A document that changed meanwhile is shown once. */
export function newestFirst(pages: readonly ChangesPage[]): readonly ChangedDocument[] {
  const latest = new Map<string, ChangedDocument>();
  for (const document of pages.flatMap(({ data }) => data)) {
    // A later change moves it to the end.
    latest.delete(document.visibleId);
    latest.set(document.visibleId, document);
  }
  return [...latest.values()].reverse();
}
