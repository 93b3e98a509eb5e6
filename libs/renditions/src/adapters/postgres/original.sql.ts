import { statement } from '@counterfoil/database';

/** Returns no row if the original has been taken before. */
export const TAKE_ORIGINAL = statement<{ readonly companyId: number; readonly documentId: number }>(
  'document_originals: take',
  `insert into document_originals (company_id, document_id, taken_at) values (:companyId, :documentId, now())
   on conflict do nothing
   returning 1`,
);
