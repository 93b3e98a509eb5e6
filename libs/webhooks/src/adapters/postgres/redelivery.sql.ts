import { statement } from '@counterfoil/database';
import type {
  Redelivery,
  RedeliveryProgress,
  RedeliveryRange,
} from '../../application/ports/redelivery.repository';
import type { EndpointRef } from '../../domain/endpoint';

interface Id {
  readonly id: number;
}

export const INSERT = statement<{ readonly range: RedeliveryRange; readonly now: Date }, Id>(
  'webhook_replays: insert',
  `insert into webhook_replays (company_id, endpoint_id, since, until, state, position_at, created_at)
   values (:range.companyId, :range.endpointId, :range.since, :range.until, :range.state, :range.since, :now)
   returning id`,
);

export const LOCK = statement<Id, Redelivery>(
  'webhook_replays: lock',
  `select id, company_id as "companyId", endpoint_id as "endpointId", since, until, state,
          position_at as "positionAt", position_id as "positionId"
     from webhook_replays where id = :id and finished_at is null for update skip locked`,
);

const isOfState = (state: string) =>
  `(case when :redelivery.state::text is null then ${state} <> 'pending' else ${state} = :redelivery.state end)`;

export const STEP = statement<
  { readonly redelivery: Redelivery; readonly now: Date; readonly limit: number },
  { readonly goesOn: boolean }
>(
  'webhook_replays: step',
  `with batch as materialized (
     select id, created_at from webhook_deliveries
      where endpoint_id = :redelivery.endpointId and (created_at, id) > (:redelivery.positionAt, :redelivery.positionId)
        and created_at <= :redelivery.until and ${isOfState('state')}
      order by created_at, id limit :limit
   ), redelivered as (
     update webhook_deliveries d set state = 'pending', tries = 0, next_attempt_at = :now, finished_at = null
       from batch where d.id = batch.id and ${isOfState('d.state')}
     returning d.id
   ), last as (
     select created_at, id from batch order by created_at desc, id desc limit 1
   )
   update webhook_replays r
      set deliveries = deliveries + (select count(*) from redelivered),
          position_at = coalesce(last.created_at, position_at), position_id = coalesce(last.id, position_id),
          finished_at = case when (select count(*) from batch) < :limit then :now::timestamptz end
     from (select 1) as one left join last on true
    where r.id = :redelivery.id
   returning finished_at is null as "goesOn"`,
);

export const FIND_RUNNING = statement<{ readonly endpointId: string }, Id>(
  'webhook_replays: running',
  'select id from webhook_replays where endpoint_id = :endpointId and finished_at is null order by id limit 1',
);

export const FIND_UNFINISHED = statement<{ readonly limit: number }, Id>(
  'webhook_replays: unfinished',
  'select id from webhook_replays where finished_at is null order by id limit :limit',
);

export const END = statement<{ readonly endpointId: string; readonly now: Date }>(
  'webhook_replays: end',
  'update webhook_replays set finished_at = :now where endpoint_id = :endpointId and finished_at is null',
);

export const FIND = statement<EndpointRef & Id, RedeliveryProgress>(
  'webhook_replays: find',
  `select id, since, until, state, deliveries, created_at as "createdAt", finished_at as "finishedAt"
     from webhook_replays where id = :id and endpoint_id = :endpointId and company_id = :companyId`,
);

export const PURGE = statement<{ readonly before: Date; readonly batch: number }>(
  'webhook_replays: purge',
  `delete from webhook_replays
    where id in (select id from webhook_replays where finished_at < :before limit :batch) returning 1`,
);
