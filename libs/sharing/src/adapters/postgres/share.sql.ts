import { advisoryLock, statement } from '@counterfoil/database';
import type {
  LinkedShare,
  NewShare,
  ShareOfDocument,
  ShareRow,
  ShareViews,
} from '../../application/ports/shares';
import { LIVE_SHARES_MAX } from '../../domain/share';

interface OfCompany {
  readonly companyId: number;
}

/** Links of a document are made one after the other, so that all of them count. */
export const LOCK_DOCUMENT = statement<{ readonly documentId: number }>(
  'document_shares: lock document',
  `select ${advisoryLock('pg_advisory_xact_lock', 'document shares', ':documentId')}`,
);

export const INSERT_SHARE = statement<OfCompany & NewShare, { readonly id: number }>(
  'document_shares: insert',
  `insert into document_shares
     (company_id, document_id, public_id, stamp, language, payment_page_id, expires_at, created_by, created_at)
   select :companyId, :documentId, :publicId, :stamp, :language, :paymentPageId, :expiresAt, :createdBy, now()
    where (select count(*) from document_shares
            where company_id = :companyId and document_id = :documentId and revoked_at is null
              and expires_at > now()) < ${LIVE_SHARES_MAX}
   returning id`,
);

export const FIND_LINKED = statement<OfCompany & { readonly publicId: string }, LinkedShare>(
  'document_shares: find linked',
  `select s.id, s.company_id as "companyId", s.document_id as "documentId", s.stamp, s.language,
          s.payment_page_id as "paymentPageId", s.expires_at as "expiresAt", s.revoked_at is not null as "isRevoked", s.expires_at <= now() as "isExpired"
     from document_shares s
    where s.company_id = :companyId and s.public_id = :publicId
      and not exists (select from companies c where c.id = s.company_id and c.suspended_at is not null)`,
  { prepared: true },
);

export const SHARES_AT_ONCE = 200;

export const NEXT_SHARES = statement<
  OfCompany & { readonly documentId: number; readonly after: number },
  ShareRow
>(
  'document_shares: next',
  `select s.id, s.stamp, s.language, s.payment_page_id as "paymentPageId", s.expires_at as "expiresAt",
          s.revoked_at as "revokedAt", s.created_by as "createdBy", s.created_at as "createdAt", coalesce(v.views, 0) as views,
          v.first_viewed_at as "firstViewedAt", v.last_viewed_at as "lastViewedAt"
     from document_shares s
     left join document_share_views v on v.company_id = s.company_id and v.share_id = s.id
    where s.company_id = :companyId and s.document_id = :documentId and s.id > :after
    order by s.id limit ${SHARES_AT_ONCE}`,
);

/** Returns no row if there is no such share. */
export const REVOKE = statement<ShareOfDocument>(
  'document_shares: revoke',
  `with found as (
     select company_id, id from document_shares
      where company_id = :companyId and document_id = :documentId and id = :id
   ), revoked as (
     update document_shares s set revoked_at = now() from found
      where s.company_id = found.company_id and s.id = found.id and s.revoked_at is null
   )
   select from found`,
);

/**
 * The row is locked until the commit, so of several reports that are due at once only the first is. `reported_views` are
 * the views of the last report; they equal `views` only in the transaction that reports.
 */
export const ADD_VIEWS = statement<OfCompany & { readonly id: number; readonly views: number }, ShareViews>(
  'document_share_views: add',
  `insert into document_share_views as v
     (company_id, share_id, views, first_viewed_at, last_viewed_at, reported_at, reported_views)
   values (:companyId, :id, :views, now(), now(), now(), :views)
   on conflict (company_id, share_id) do update set
     views = v.views + excluded.views,
     last_viewed_at = greatest(v.last_viewed_at, excluded.last_viewed_at),
     reported_at = case when v.reported_at <= now() - interval '1 hour' then now() else v.reported_at end,
     reported_views = case when v.reported_at <= now() - interval '1 hour' then v.views + excluded.views
                           else v.reported_views end
   returning views, first_viewed_at as "firstViewedAt", reported_views = views as "isReportDue"`,
);
