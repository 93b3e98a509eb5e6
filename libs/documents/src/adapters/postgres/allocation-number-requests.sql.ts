import { statement } from '@counterfoil/database';
import { nextInTurns, renewalOf, retriedWork } from '@counterfoil/leased-work';
import type { ClaimedAllocationNumber } from '../../application/ports/allocation-number-requests';

const TABLE = {
  name: 'document_approvals',
  key: 'document_id',
  token: 'lease_token',
  until: 'lease_until',
  due: 'next_attempt_at',
  // A row exists only while the allocation number is pending.
  open: 'true',
  payload: 'document_id as "documentId", company_id as "companyId", attempts, lease_token as "leaseToken"',
};

/** Not in turns: a job claims the next request of all, whichever it was signalled for. */
export const REQUESTS = retriedWork<ClaimedAllocationNumber>(TABLE, { present: ['leaseToken'] });

export const CLAIM_NEXT = nextInTurns<ClaimedAllocationNumber>(
  { ...TABLE, inTurnsOf: 'company_id' },
  { present: ['leaseToken'] },
);

export const RENEW_REQUESTS = renewalOf(TABLE);

export const REMOVE_REQUEST = statement<{
  readonly companyId: number;
  readonly documentId: number;
}>(
  'document_approvals: remove of a document',
  'delete from document_approvals where company_id = :companyId and document_id = :documentId',
);
