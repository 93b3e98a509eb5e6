import { statement } from '@counterfoil/database';
import type { EndpointView } from '../../application/ports/endpoint.reader';
import type { EndpointOutcome } from '../../application/ports/endpoint.repository';
import type { EndpointRef } from '../../domain/endpoint';
import { ENDPOINT_COLUMNS } from './endpoint.list';

/**
 * An endpoint `e` is sent deliveries. Those of a removed one are dropped; those of a paused one, or of a suspended
 * company, wait. `claim_due_deliveries` has the same condition.
 */
export const IS_ACTIVE = `e.deleted_at is null and e.paused_at is null
  and not exists (select from companies c where c.id = e.company_id and c.suspended_at is not null)`;

export const FIND_ACTIVE = statement<{ readonly endpointId: string }>(
  'webhook_endpoints: find active',
  `select from webhook_endpoints e where e.id = :endpointId and ${IS_ACTIVE}`,
);

export const FIND_ENDPOINT = statement<EndpointRef, EndpointView>(
  'webhook_endpoints: find',
  `select ${ENDPOINT_COLUMNS} from webhook_endpoints e
    where e.id = :endpointId and e.company_id = :companyId and e.deleted_at is null`,
);

export const COUNT_PAUSED = statement<object, { readonly count: number }>(
  'webhook_endpoints: count paused',
  'select count(*)::integer as count from webhook_endpoints where paused_at is not null and deleted_at is null',
);

export const LOCK_COMPANY = statement<{ readonly companyId: number }>(
  'webhook_endpoints: lock company',
  'select from companies where id = :companyId for no key update',
);

/**
 * Writes only changes, because most attempts have the same outcome as the previous one. Locks the endpoints in the order
 * of their ids, so that two workers cannot deadlock.
 */
export const NOTE_OUTCOMES = statement<{ readonly outcomes: readonly EndpointOutcome[] }>(
  'webhook_endpoints: note outcomes',
  `with outcome as (
     select * from unnest(:outcomes.endpointId::text[], :outcomes.at::timestamptz[], :outcomes.acknowledged::boolean[])
       as o (id, at, acknowledged)
   ), changed as (
     select e.id from webhook_endpoints e join outcome o using (id)
      where (e.failing_since is not null) = o.acknowledged
      order by e.id for no key update of e
   )
   update webhook_endpoints e set failing_since = case when o.acknowledged then null else o.at end
     from changed join outcome o using (id)
    where e.id = changed.id and (e.failing_since is not null) = o.acknowledged`,
);

export const FIND_FAILING = statement<
  { readonly failed: readonly EndpointOutcome[]; readonly before: Date },
  EndpointRef
>(
  'webhook_endpoints: failing',
  `select id as "endpointId", company_id as "companyId" from webhook_endpoints
    where id = any (:failed.endpointId) and failing_since <= :before and paused_at is null and deleted_at is null`,
);

export const PURGE = statement<{ readonly before: Date; readonly batch: number }>(
  'webhook_endpoints: purge',
  `delete from webhook_endpoints
    where id in (
      select id from webhook_endpoints e
       where deleted_at < :before
         and not exists (select from webhook_deliveries d where d.endpoint_id = e.id)
       limit :batch)
    returning 1`,
);
