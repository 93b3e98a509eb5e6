import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Claims no deliveries of suspended companies, and returns the trace of the event, so that the attempt continues it.
 */
export class DueDeliveries1795780200000 extends Migration {
  override readonly name = 'DueDeliveries1795780200000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(CLAIM);
  }
}

/**
 * These functions run for every delivery, and PostgreSQL caches their plans. A plan from the time when the
 * tables were small would use sequential scans after they have grown, so only index scans are allowed.
 */
const BY_INDEX_ALONE = `
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off`;

/**
 * Like `claim_webhook_deliveries` of LeaseClock1795510800000, with one condition and one column more. The result of a
 * function cannot be changed, so it has a new name. The previous function stays for processes of the previous version.
 */
const CLAIM = `create function claim_due_deliveries(
   lanes text[], wanted integer[], lane_max integer, at timestamptz, lease interval, token uuid
 ) returns table (
   id bigint, endpoint_id text, company_id bigint, event_id text, event_type text, attempts integer, tries integer,
   url text, secret_sealed text, former_secrets jsonb, body text, trace text
 ) language plpgsql ${BY_INDEX_ALONE} as $$
 #variable_conflict use_column
 declare
   moment timestamptz;
 begin
   -- A claim that a crash undoes was of an attempt that nobody records: not worth waiting for the disk.
   perform set_config('synchronous_commit', 'off', true);
   perform pg_advisory_xact_lock(1795305600, key)
      from (select distinct hashtext(lane) as key from unnest(lanes) as lane order by key) as keys;
   -- After the wait: the lease lasts from now.
   moment := clock_timestamp();
   return query
     with lane as (
       select l.id, l.wanted, e.url, e.secret_sealed, e.former_secrets, least(l.wanted, lane_max - (
                select count(*) from (
                  select c.lease_token, c.lease_until from webhook_deliveries c
                   where c.endpoint_id = l.id and c.state in ('pending', 'waiting') and c.next_attempt_at <= at
                   order by c.next_attempt_at, c.id limit 2 * lane_max) as first
                 where first.lease_token is not null and first.lease_until >= moment)) as places
         from unnest(lanes, wanted) as l (id, wanted)
         join webhook_endpoints e on e.id = l.id and e.deleted_at is null and e.paused_at is null
        and not exists (select from companies s where s.id = e.company_id and s.suspended_at is not null)
     ), due as materialized (
       select d.id, lane.url, lane.secret_sealed, lane.former_secrets from lane cross join lateral (
         select c.id from webhook_deliveries c
          where c.endpoint_id = lane.id and c.state in ('pending', 'waiting') and c.next_attempt_at <= at
            and (c.lease_token is null or c.lease_until < moment)
          order by c.next_attempt_at, c.id limit greatest(lane.places, 0)
            for update skip locked) as d
     ), claimed as (
       update webhook_deliveries d set lease_token = token, lease_until = moment + lease
         from due where d.id = due.id
       returning d.id, d.endpoint_id, d.company_id, d.event_id, d.event_type, d.attempts, d.tries,
                 due.url, due.secret_sealed, due.former_secrets
     )
     select c.*, o.body, o.trace from claimed c join outbox_events o on o.id = c.event_id
     union all
     select null, lane.id, null, null, null, null, null, null, null, null, null, null
       from lane where lane.places < lane.wanted;
 end $$`;
