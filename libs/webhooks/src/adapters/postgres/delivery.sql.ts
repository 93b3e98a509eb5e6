import { advisoryLock, statement } from '@counterfoil/database';
import type { Backlog } from '@counterfoil/kernel';
import type { RelayedEvent } from '@counterfoil/outbox';
import type { ClaimedDelivery, NewDelivery, WantedSlots } from '../../application/ports/delivery.repository';
import type { EndpointRef } from '../../domain/endpoint';
import { SLOTS_MAX } from '../../domain/lane';
import { ATTEMPTS, DELIVERY_COLUMNS, type ShownRow } from './delivery.list';
import { IS_ACTIVE } from './endpoint.sql';

/**
 * Takes no lock except that of the foreign key, so that a change of one endpoint does not block the events of
 * all companies.
 */
export const FAN_OUT = statement<
  { readonly events: readonly RelayedEvent[]; readonly now: Date },
  EndpointRef
>(
  'webhook_deliveries: fan out',
  `with event as (
     select * from unnest(:events.id::text[], :events.companyId::bigint[], :events.type::text[])
       as e (id, company_id, type)
   ), endpoint as (
     select id, company_id, events from webhook_endpoints
      where company_id = any (:events.companyId) and deleted_at is null
   ), made as (
     insert into webhook_deliveries
       (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
     select event.company_id, endpoint.id, event.id, event.type, 'pending', :now, :now
       from event join endpoint on endpoint.company_id = event.company_id
        and (event.type = any (endpoint.events) or '*' = any (endpoint.events))
     on conflict on constraint webhook_deliveries_once do nothing
     returning endpoint_id, company_id
   )
   select distinct endpoint_id as "endpointId", company_id as "companyId" from made`,
  { prepared: true },
);

export const INSERT = statement<
  { readonly delivery: NewDelivery; readonly now: Date },
  { readonly id: number }
>(
  'webhook_deliveries: insert',
  `insert into webhook_deliveries
     (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
   values (:delivery.companyId, :delivery.endpointId, :delivery.eventId, :delivery.eventType, 'pending', :now, :now)
   returning id`,
);

/**
 * The connection also takes the lock of the worker's presence. Otherwise a worker that starts would take over
 * these claims while the presence of this one is not connected: not yet, or not again.
 *
 * A row without an id names an endpoint whose slots are partly used by other workers.
 */
export const CLAIM = statement<
  {
    readonly wanted: readonly WantedSlots[];
    readonly now: Date;
    readonly lease: string;
    readonly token: string;
    readonly presence: number;
  },
  ClaimedDelivery | { readonly id: null; readonly endpointId: string }
>(
  'webhook_deliveries: claim',
  `with present as materialized (
     select ${advisoryLock('pg_advisory_lock_shared', 'presence', ':presence::int')}
   )
   select id, endpoint_id as "endpointId", company_id as "companyId", event_id as "eventId",
          event_type as "eventType", attempts, tries, url, secret_sealed as "secretSealed",
          former_secrets as "formerSecrets", body, trace, :token::uuid as "leaseToken"
     from present cross join claim_due_deliveries(:wanted.endpointId, :wanted.slots, ${SLOTS_MAX}, :now,
       :lease::interval, :token::uuid)`,
  { prepared: true },
);

/** `results` is JSON, because one text is built and parsed faster than an array for each column. */
export const RECORD = statement<
  { readonly results: string },
  { readonly id: number; readonly dueAt: Date | null }
>('webhook_deliveries: record', 'select id, due_at as "dueAt" from record_webhook_attempts(:results)', {
  prepared: true,
});

/** Finds attempts that are already recorded, and the time when their deliveries are due again. */
export const FIND_RECORDED = statement<
  {
    readonly made: readonly {
      readonly id: number;
      readonly startedAt: Date;
      readonly durationMs: number;
      readonly status: number | null;
    }[];
  },
  { readonly id: number; readonly dueAt: Date | null }
>(
  'webhook_attempts: find recorded',
  `select d.id, d.next_attempt_at as "dueAt"
     from unnest(:made.id::bigint[], :made.startedAt::timestamptz[], :made.durationMs::int[], :made.status::int[])
            as m (id, started_at, duration_ms, status)
     join webhook_attempts a on a.delivery_id = m.id and a.started_at = m.started_at
      and a.duration_ms = m.duration_ms and a.status is not distinct from m.status
     join webhook_deliveries d on d.id = m.id`,
);

export const GIVE_BACK = statement<{ readonly claims: readonly ClaimedDelivery[]; readonly dueAt: Date }>(
  'webhook_deliveries: give back',
  `update webhook_deliveries d set next_attempt_at = :dueAt, lease_token = null, lease_until = null
     from unnest(:claims.id::bigint[], :claims.leaseToken::uuid[]) as c (id, token)
    where d.id = c.id and d.lease_token = c.token and d.state in ('pending', 'waiting')`,
);

/** The number of leading deliveries of an endpoint in which the claim function counts active claims. */
const FIRST_MAX = 2 * SLOTS_MAX;

/** A claim that may have been committed although its answer was lost. */
export interface LostClaim {
  readonly token: string;
  readonly endpointId: string;
}

/** The due deliveries among which all active claims are, as `c` beside the endpoints `e` that still exist. */
const FIRST_OF_ENDPOINTS = `webhook_endpoints e cross join lateral (
       select id, lease_token, lease_until from webhook_deliveries
        where endpoint_id = e.id and state in ('pending', 'waiting') and next_attempt_at <= :now
        order by next_attempt_at, id limit ${FIRST_MAX}) as c
    where e.deleted_at is null`;

/** `owners` are prefixes of lease tokens. */
export const FREE_CLAIMS = statement<{ readonly owners: readonly string[]; readonly now: Date }>(
  'webhook_deliveries: free claims',
  `update webhook_deliveries d set lease_token = null, lease_until = null
     from ${FIRST_OF_ENDPOINTS} and left(c.lease_token::text, 8) = any (:owners::text[])
      and d.id = c.id and d.lease_token = c.lease_token`,
);

/** Finds the prefixes of the lease tokens of active claims. */
export const FIND_OWNERS = statement<{ readonly now: Date }, { readonly owner: string }>(
  'webhook_deliveries: find owners',
  `select distinct left(c.lease_token::text, 8) as owner
     from ${FIRST_OF_ENDPOINTS} and c.lease_token is not null and c.lease_until >= now()`,
);

/** Frees claims by their tokens and endpoints. */
export const FREE_LOST_CLAIMS = statement<{ readonly lost: readonly LostClaim[]; readonly now: Date }>(
  'webhook_deliveries: free lost claims',
  `update webhook_deliveries d set lease_token = null, lease_until = null
     from unnest(:lost.token::uuid[], :lost.endpointId::text[]) as lost (token, endpoint_id) cross join lateral (
       select id, lease_token from webhook_deliveries
        where endpoint_id = lost.endpoint_id and state in ('pending', 'waiting') and next_attempt_at <= :now
        order by next_attempt_at, id limit ${FIRST_MAX}) as c
    where c.lease_token = lost.token and d.id = c.id and d.lease_token = c.lease_token`,
);

/** Reads only the beginning of each endpoint's index, so its cost does not depend on the backlog. */
export const FIND_OVERDUE = statement<{ readonly before: Date }, EndpointRef>(
  'webhook_deliveries: overdue',
  `select e.id as "endpointId", e.company_id as "companyId"
     from webhook_endpoints e cross join lateral (
       select 1 from webhook_deliveries d
        where d.endpoint_id = e.id and d.state in ('pending', 'waiting') and d.next_attempt_at < :before
          and (d.lease_token is null or d.lease_until < now())
        order by d.next_attempt_at, d.id limit 1) as overdue
    where ${IS_ACTIVE}`,
);

/** Those under way do not count. Reads only the beginning of each endpoint's index, like `FIND_OVERDUE`. */
export const BACKLOG = statement<{ readonly now: Date }, Backlog>(
  'webhook_deliveries: backlog',
  `select coalesce(sum(waiting), 0)::integer as waiting, min(oldest) as "oldestDueAt"
     from webhook_endpoints e cross join lateral (
       select count(*) as waiting, min(next_attempt_at) as oldest from (
         select d.next_attempt_at from webhook_deliveries d
          where d.endpoint_id = e.id and d.state in ('pending', 'waiting') and d.next_attempt_at <= :now
            and (d.lease_token is null or d.lease_until < now())
          order by d.next_attempt_at, d.id limit 100) as first) as due
    where ${IS_ACTIVE}`,
);

/** Waits for a running claim of the endpoint, because the claim function holds the same lock. */
export const LOCK_LANE = statement<{ readonly endpointId: string }>(
  'webhook_deliveries: lock lane',
  `select ${advisoryLock('pg_advisory_xact_lock', 'webhook lane', 'hashtext(:endpointId)')}`,
);

export const COUNT_CLAIMED = statement<{ readonly endpointId: string }, { readonly count: number }>(
  'webhook_deliveries: count claimed',
  `select count(*) filter (where lease_token is not null and lease_until >= now()) as count from (
     select lease_token, lease_until from webhook_deliveries
      where endpoint_id = :endpointId and state in ('pending', 'waiting')
      order by next_attempt_at, id limit ${FIRST_MAX}) as first`,
);

export const REDELIVER = statement<EndpointRef & { readonly deliveryId: number; readonly now: Date }>(
  'webhook_deliveries: redeliver',
  `update webhook_deliveries set state = 'pending', tries = 0, next_attempt_at = :now, finished_at = null
    where id = :deliveryId and endpoint_id = :endpointId and company_id = :companyId`,
);

export const DROP_OF_REMOVED = statement<{
  readonly now: Date;
  readonly limit: number;
  /** null: all removed endpoints. */
  readonly endpointId: string | null;
}>(
  'webhook_deliveries: drop of removed',
  `with removed as materialized (
     select d.id from webhook_endpoints e cross join lateral (
       select id from webhook_deliveries
        where endpoint_id = e.id and state in ('pending', 'waiting')
        limit :limit for update skip locked) as d
      where e.deleted_at is not null and (:endpointId::text is null or e.id = :endpointId) limit :limit)
   update webhook_deliveries w set state = 'dropped', next_attempt_at = null, finished_at = :now
     from removed where w.id = removed.id`,
);

/**
 * Adds up the counts of endpoints that have many. Of two at once, each adds up the rows that it has deleted, so a list
 * always finds the right sum. Leaves out endpoints that are being removed, whose counts go with them.
 */
export const MERGE_COUNTS = statement<{ readonly rowsMax: number; readonly endpoints: number }>(
  'webhook_delivery_counts: merge',
  `with crowded as (
     select endpoint_id from webhook_delivery_counts group by endpoint_id having count(*) > :rowsMax limit :endpoints
   ), held as materialized (
     select e.id from webhook_endpoints e join crowded on crowded.endpoint_id = e.id for key share of e skip locked
   ), merged as (
     delete from webhook_delivery_counts c using held where c.endpoint_id = held.id
     returning c.company_id, c.endpoint_id, c.deliveries
   )
   insert into webhook_delivery_counts (company_id, endpoint_id, deliveries)
   select company_id, endpoint_id, sum(deliveries) from merged group by company_id, endpoint_id`,
);

export const FIND = statement<{ readonly endpointId: string; readonly deliveryId: number }, ShownRow>(
  'webhook_deliveries: find',
  `select ${DELIVERY_COLUMNS} from webhook_deliveries d ${ATTEMPTS}
    where d.id = :deliveryId and d.endpoint_id = :endpointId order by a.attempt`,
);

/** One page of the primary key, which orders deliveries by age. */
export const PURGE_PAGE = statement<
  { readonly before: Date; readonly batch: number; readonly after: number },
  { readonly last: number | null; readonly youngest: Date | null; readonly purged: number }
>(
  'webhook_deliveries: purge',
  `with page as materialized (
     select d.id, d.created_at, d.state, d.finished_at, e.deleted_at
       from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
      where d.id > :after order by d.id limit :batch
   ), over as (
     select d.id from webhook_deliveries d join page using (id)
      where d.finished_at < :before
        and (d.state = 'delivered' or (d.state = 'dropped' and page.deleted_at is not null))
      order by d.id for update of d skip locked
   ), purged as (
     delete from webhook_deliveries d using over where d.id = over.id returning d.id
   ), attempts as (
     delete from webhook_attempts a using purged where a.delivery_id = purged.id
   )
   select max(id) as last, max(created_at) as youngest, (select count(*) from purged) as purged from page`,
);

export const FIND_REFERRED_TO = statement<{ readonly eventIds: readonly string[] }, { readonly id: string }>(
  'webhook_deliveries: referred to',
  `select id from unnest(:eventIds::text[]) as e (id)
    where exists (select from webhook_deliveries d where d.event_id = e.id)`,
);
