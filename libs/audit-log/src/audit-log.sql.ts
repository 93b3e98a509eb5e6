import { advisoryLock, backlogOf, statement } from '@counterfoil/database';
import type { ChainLink, SealedContent } from './audit-entry';

export const TRY_LOCK = statement<object, { readonly taken: boolean }>(
  'audit log: try lock',
  `select ${advisoryLock('pg_try_advisory_xact_lock', 'audit log')} as taken`,
);

/** Permits this transaction to delete rows, see `refuse_change_of_audit`. */
export const PERMIT_REMOVAL = statement<{ readonly marker: 'sealing' | 'retention' }>(
  'audit log: permit removal',
  `select set_config('counterfoil.audit_removal', :marker, true)`,
);

const CONTENT = `company_id as "companyId", (extract(epoch from at) * 1000000)::bigint::text as at, action, entity,
  entity_id as "entityId", before::text as before, after::text as after`;

/** The parts of `acting`, which is stored as `counterfoil.actor` was set. */
const ACTOR = `split_part(acting, ' ', 1)`;
const ROLE = `nullif(split_part(acting, ' ', 2), '')`;
const REQUEST_ID = `nullif(split_part(acting, ' ', 3), '')`;

export type StagedEntry = Omit<SealedContent, 'position'> & { readonly id: number };

/**
 * In the order of the ids: a change gets its id after it has locked its row, so of two changes of one record the earlier
 * has the lower id.
 */
export const FIND_STAGED = statement<{ readonly limit: number }, StagedEntry>(
  'audit log: find staged',
  `select id, ${CONTENT}, ${ACTOR} as actor, ${ROLE} as role, ${REQUEST_ID} as "requestId"
     from audit_staged order by id limit :limit`,
);

export interface ChainEnd extends ChainLink {
  readonly companyId: number;
}

export const FIND_ENDS = statement<{ readonly companyIds: readonly number[] }, ChainEnd>(
  'audit log: find ends',
  `select company.id as "companyId", last.position, last.hash
     from unnest(:companyIds::bigint[]) as company (id)
    cross join lateral (
      select position, hash from audit_log where company_id = company.id order by position desc limit 1) last`,
);

export const APPEND = statement<{
  readonly entries: readonly { readonly id: number; readonly position: number; readonly hash: Buffer }[];
}>(
  'audit log: append',
  `insert into audit_log (company_id, position, at, actor, role, request_id, action, entity, entity_id, before, after, hash)
   select s.company_id, e.position, s.at, ${ACTOR}, ${ROLE}, ${REQUEST_ID}, s.action, s.entity, s.entity_id, s.before,
          s.after, e.hash
     from unnest(:entries.id::bigint[], :entries.position::bigint[], :entries.hash::bytea[]) as e (id, position, hash)
     join audit_staged s on s.id = e.id`,
);

export const REMOVE_STAGED = statement<{ readonly ids: readonly number[] }>(
  'audit log: remove staged',
  'delete from audit_staged where id = any (:ids)',
);

export const BACKLOG = backlogOf<object>({ table: 'audit_staged', where: 'true', due: 'at', orderBy: 'id' });

export type SealedEntry = SealedContent & { readonly hash: Buffer };

export const NEXT_SEALED = statement<
  { readonly companyId: number; readonly after: number; readonly limit: number },
  SealedEntry
>(
  'audit log: next sealed',
  `select position, hash, ${CONTENT}, actor, role, request_id as "requestId" from audit_log
    where company_id = :companyId and position > :after order by position limit :limit`,
);

/** Steps from company to company in the primary key, because a company may have millions of entries. */
export const FIND_COMPANIES = statement<object, { readonly companyId: number }>(
  'audit log: find companies',
  `with recursive found as (
     (select company_id from audit_log order by company_id limit 1)
     union all
     select (select company_id from audit_log where company_id > found.company_id order by company_id limit 1)
       from found where found.company_id is not null
   )
   select company_id as "companyId" from found where company_id is not null`,
);

export const COUNT_STAGED = statement<{ readonly companyId: number | null }, { readonly count: number }>(
  'audit log: count staged',
  `select count(*)::integer as count from audit_staged where :companyId::bigint is null or company_id = :companyId`,
);

/** The last entry that was removed from the beginning of a log. */
export const FIND_REMOVAL = statement<{ readonly companyId: number }, ChainLink>(
  'audit log: find removal',
  'select position, hash from audit_removals where company_id = :companyId order by position desc limit 1',
);

/** The last entry of a company is kept, because the next one is chained to it. */
export const FIND_EXPIRED = statement<
  { readonly companyId: number; readonly before: Date; readonly batch: number },
  ChainLink
>(
  'audit log: find expired',
  `select position, hash from (
     select position, hash, at from audit_log
      where company_id = :companyId
        and position < (select max(position) from audit_log where company_id = :companyId)
      order by position limit :batch) first
    where at < :before order by position desc limit 1`,
);

export const NOTE_REMOVAL = statement<ChainEnd & { readonly now: Date }>(
  'audit log: note removal',
  `insert into audit_removals (company_id, position, hash, removed_at) values (:companyId, :position, :hash, :now)`,
);

export const REMOVE_UP_TO = statement<{ readonly companyId: number; readonly position: number }>(
  'audit log: remove up to',
  'delete from audit_log where company_id = :companyId and position <= :position returning position',
);
