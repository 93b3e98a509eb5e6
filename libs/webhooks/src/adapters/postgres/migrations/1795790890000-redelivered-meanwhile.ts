import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Keeps a redelivery that was made during the first attempt, which fails. Until now, it was recognised only by the number
 * of tries, which a redelivery sets to 0 and which is 0 before the first attempt.
 */
export class RedeliveredMeanwhile1795790890000 extends Migration {
  override readonly name = 'RedeliveredMeanwhile1795790890000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(RECORD);
  }
}

/** See WebhookLanes1795305600000: only index scans, because PostgreSQL caches the plan. */
const BY_INDEX_ALONE = `
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off`;

/** The attempt began after its delivery was due, and a redelivery makes it due at its own, later time. */
const IS_REDELIVERED = '(d.tries <> r.tries or d.next_attempt_at > r.started_at)';

/**
 * Records attempts and frees their claims. Returns the deliveries whose claims were still valid, and the time when each
 * is due again. If the attempt of a delivery that was redelivered meanwhile failed, the redelivery stays.
 */
const RECORD = `create or replace function record_webhook_attempts(results jsonb)
   returns table (id bigint, due_at timestamptz) language sql ${BY_INDEX_ALONE} as $$
   with result as materialized (
     select *, failure is not null as failed from jsonb_to_recordset(results) as r (
       id bigint, token uuid, tries integer, state text, next_at timestamptz, started_at timestamptz, duration_ms integer,
       status integer, failure text, response text)
   ), delivery as (
     update webhook_deliveries d
        set state = case when ${IS_REDELIVERED} and r.failed then d.state else r.state end,
            next_attempt_at = case when ${IS_REDELIVERED} and r.failed then d.next_attempt_at else r.next_at end,
            attempts = d.attempts + 1,
            tries = case when ${IS_REDELIVERED} then d.tries else d.tries + 1 end,
            lease_token = null, lease_until = null,
            finished_at = case when r.next_at is null and not (${IS_REDELIVERED} and r.failed)
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
 $$`;
