import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds claims by endpoint, redeliveries, paused endpoints and secret rotation. */
export class WebhookLanes1795305600000 extends Migration {
  override readonly name = 'WebhookLanes1795305600000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...ENDPOINTS, ...DELIVERIES, ...CLAIMING, ...REPLAYS]) {
      await runner.query(statement);
    }
  }
}

const ENDPOINTS = [
  'alter table webhook_endpoints add column paused_at timestamptz',
  // Previous secrets that are still used for signing after a rotation: [{ sealed, until }].
  `alter table webhook_endpoints add column former_secrets jsonb not null default '[]'`,
  'create index webhook_endpoints_removed on webhook_endpoints (id) where deleted_at is not null',
];

const DELIVERIES = [
  // Attempts since the delivery was created or last redelivered: the position in the retry table.
  'alter table webhook_deliveries add column tries integer not null default 0',
  'update webhook_deliveries set tries = attempts',
  // The endpoint already belongs to a company. This constraint added nothing, and cost a check for each row.
  'alter table webhook_deliveries drop constraint webhook_deliveries_company_id_fkey',
  // The event comes first, so that this index also finds whether a delivery still refers to an event.
  `alter table webhook_deliveries drop constraint webhook_deliveries_once,
     add constraint webhook_deliveries_once unique (event_id, endpoint_id)`,
  'drop index webhook_deliveries_due, webhook_deliveries_open',
  // The pending deliveries of an endpoint by due time. A claim reads only the beginning, whatever the
  // backlog.
  `create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id)
    where state in ('pending', 'waiting')`,
  // For an endpoint's delivery list, and for the range of a redelivery.
  'create index webhook_deliveries_made on webhook_deliveries (endpoint_id, created_at, id)',
  // For the few dropped deliveries among many others.
  `create index webhook_deliveries_dropped on webhook_deliveries (endpoint_id, created_at, id)
    where state = 'dropped'`,
  // Leaves free space on each page for HOT updates. A claim changes no indexed column, so it then writes to
  // no index.
  'alter table webhook_deliveries set (fillfactor = 50)',
  // One statement writes attempts together with their delivery, and one statement purges both.
  'alter table webhook_attempts drop constraint webhook_attempts_delivery_id_fkey',
];

/**
 * These functions run for every delivery, and PostgreSQL caches their plans. A plan from the time when the
 * tables were small would use sequential scans after they have grown, so only index scans are allowed.
 */
const BY_INDEX_ALONE = `
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off`;

const CLAIMING = [
  // Claims due deliveries, lane by lane. Each lane gets up to its wanted slots, and at most what is left of
  // `lane_max` over all workers. Concurrent claims for the same lane wait for each other and count
  // afterwards: a statement of this function sees everything that was committed before that statement, not
  // only before the call. Claimed deliveries were due longest, so they are among the first of the lane.
  // Counting them there avoids an index of claims, which every claim would have to update. A row without an
  // id means that `lane_max` left fewer slots than were wanted.
  `create function claim_webhook_deliveries(
     lanes text[], wanted integer[], lane_max integer, at timestamptz, until timestamptz, token uuid
   ) returns table (
     id bigint, endpoint_id text, company_id bigint, event_id text, event_type text, attempts integer, tries integer,
     url text, secret_sealed text, former_secrets jsonb, body text
   ) language plpgsql ${BY_INDEX_ALONE} as $$
   #variable_conflict use_column
   begin
     -- A claim that a crash undoes was of an attempt that nobody records: not worth waiting for the disk.
     perform set_config('synchronous_commit', 'off', true);
     perform pg_advisory_xact_lock(1795305600, key)
        from (select distinct hashtext(lane) as key from unnest(lanes) as lane order by key) as keys;
     return query
       with lane as (
         select l.id, l.wanted, e.url, e.secret_sealed, e.former_secrets, least(l.wanted, lane_max - (
                  select count(*) from (
                    select c.lease_token, c.lease_until from webhook_deliveries c
                     where c.endpoint_id = l.id and c.state in ('pending', 'waiting') and c.next_attempt_at <= at
                     order by c.next_attempt_at, c.id limit 2 * lane_max) as first
                   where first.lease_token is not null and first.lease_until >= at)) as places
           from unnest(lanes, wanted) as l (id, wanted)
           join webhook_endpoints e on e.id = l.id and e.deleted_at is null and e.paused_at is null
       ), due as materialized (
         select d.id, lane.url, lane.secret_sealed, lane.former_secrets from lane cross join lateral (
           select c.id from webhook_deliveries c
            where c.endpoint_id = lane.id and c.state in ('pending', 'waiting') and c.next_attempt_at <= at
              and (c.lease_token is null or c.lease_until < at)
            order by c.next_attempt_at, c.id limit greatest(lane.places, 0)
              for update skip locked) as d
       ), claimed as (
         update webhook_deliveries d set lease_token = token, lease_until = until
           from due where d.id = due.id
         returning d.id, d.endpoint_id, d.company_id, d.event_id, d.event_type, d.attempts, d.tries,
                   due.url, due.secret_sealed, due.former_secrets
       )
       select c.*, o.body from claimed c join outbox_events o on o.id = c.event_id
       union all
       select null, lane.id, null, null, null, null, null, null, null, null, null
         from lane where lane.places < lane.wanted;
   end $$`,
  // Records attempts and frees their claims. Returns the deliveries whose claims were still valid, and the
  // time when each is due again. A delivery that was redelivered after its claim has another number of tries;
  // if its attempt failed, the redelivery stays.
  `create function record_webhook_attempts(results jsonb) returns table (id bigint, due_at timestamptz) language sql ${BY_INDEX_ALONE} as $$
     with result as materialized (
       select *, failure is not null as failed from jsonb_to_recordset(results) as r (
         id bigint, token uuid, tries integer, state text, next_at timestamptz, started_at timestamptz, duration_ms integer,
         status integer, failure text, response text)
     ), delivery as (
       update webhook_deliveries d
          set state = case when d.tries <> r.tries and r.failed then d.state else r.state end,
              next_attempt_at = case when d.tries <> r.tries and r.failed then d.next_attempt_at else r.next_at end,
              attempts = d.attempts + 1,
              tries = case when d.tries <> r.tries then d.tries else d.tries + 1 end,
              lease_token = null, lease_until = null,
              finished_at = case when r.next_at is null and (d.tries = r.tries or not r.failed)
                                 then r.started_at + r.duration_ms * interval '1 millisecond' end
         from result r
        -- Said so that no index but that of the ids fits.
        where d.id = r.id and d.lease_token = r.token and d.state not in ('delivered', 'dropped')
       returning d.id, d.attempts, d.next_attempt_at, r.started_at, r.duration_ms, r.status, r.failure, r.response
     ), made as (
       insert into webhook_attempts (delivery_id, attempt, started_at, duration_ms, status, failure, response)
       select id, attempts, started_at, duration_ms, status, failure, response from delivery
     )
     select id, next_attempt_at from delivery
   $$`,
];

const REPLAYS = [
  `create table webhook_replays (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    endpoint_id text not null references webhook_endpoints on delete cascade,
    since timestamptz not null,
    until timestamptz not null,
    state text,
    deliveries integer not null default 0,
    position_at timestamptz not null,
    position_id bigint not null default 0,
    created_at timestamptz not null,
    finished_at timestamptz
  )`,
  'create index webhook_replays_open on webhook_replays (id) where finished_at is null',
  'create index webhook_replays_endpoint on webhook_replays (endpoint_id)',
];
