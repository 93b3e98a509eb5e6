import { statement } from '@counterfoil/database';
import type { ClaimedReading, FinishedReading } from '../../application/ports/reading-requests';
import type { DocumentContent } from '../../application/ports/receipt-readings';

interface OfContent {
  readonly content: DocumentContent;
  readonly version: string;
}

type Outcome = Pick<FinishedReading, 'outcome'>;

/** How long a document is not read again after the reader crashed on it. */
const BRIEFLY = "interval '10 minutes'";

export const FIND = statement<OfContent, Outcome>(
  'receipt_readings: find',
  `select outcome from receipt_readings
    where company_id = :content.companyId and sha256 = :content.sha256 and said_as = coalesce(:content.declaredKind, '')
      and reader_version = :version
      and (read_at > statement_timestamp() - ${BRIEFLY} or outcome ->> 'stands' = 'lasting')`,
);

export const SAVE = statement<OfContent & Outcome & { readonly claim: ClaimedReading }>(
  'receipt_readings: save',
  `insert into receipt_readings as r (company_id, sha256, said_as, reader_version, outcome, read_at)
   select :content.companyId, :content.sha256, coalesce(:content.declaredKind, ''), :version, :outcome, statement_timestamp()
    where exists (select from reading_requests where id = :claim.id and claim_id = :claim.claimId and outcome is null)
   on conflict (company_id, sha256, said_as, reader_version)
   do update set outcome = excluded.outcome, read_at = excluded.read_at`,
);

export const PURGE = statement<{ readonly kept: string; readonly batch: number }>(
  'receipt_readings: purge',
  `delete from receipt_readings r using (
     select ctid from receipt_readings where read_at < statement_timestamp() - :kept::interval
      limit :batch for update skip locked) old
    where r.ctid = old.ctid returning 1`,
);
