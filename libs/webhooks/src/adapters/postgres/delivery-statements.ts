import { advisoryLock } from '@counterfoil/database';

// The statements that every delivery passes through.

/** The function that claims for a lane holds it. */
export const LOCK_LANE = `select ${advisoryLock('pg_advisory_xact_lock', 'webhook lane', 'hashtext($1)')}`;

/** No lock but that of the foreign key: one company's endpoint that is being changed must not hold up all events. */
export const FAN_OUT = `
  with event as (
    select * from unnest($1::text[], $2::bigint[], $3::text[]) as e (id, company_id, type)
  ), endpoint as (
    select id, company_id, events from webhook_endpoints
     where company_id = any ($2::bigint[]) and deleted_at is null
  ), made as (
    insert into webhook_deliveries
      (company_id, endpoint_id, event_id, event_type, state, next_attempt_at, created_at)
    select event.company_id, endpoint.id, event.id, event.type, 'pending', $4, $4
      from event join endpoint on endpoint.company_id = event.company_id
       and (event.type = any (endpoint.events) or '*' = any (endpoint.events))
    on conflict on constraint webhook_deliveries_once do nothing
    returning endpoint_id, company_id
  )
  select distinct endpoint_id as "endpointId", company_id as "companyId" from made`;

export const CLAIM = {
  name: 'webhook_claim',
  text: `
    select id, endpoint_id as "endpointId", company_id as "companyId", event_id as "eventId",
           event_type as "eventType", attempts, tries, url, secret_sealed as "secretSealed",
           former_secrets as "formerSecrets", body
      from claim_webhook_deliveries($1, $2, $3, $4, $5::interval, $6)`,
};

export const RECORD = {
  name: 'webhook_record',
  text: 'select id, due_at as "dueAt" from record_webhook_attempts($1)',
};

/** Among the first of each endpoint, as the function that claims has it. */
export const FREE_CLAIMS = `
  update webhook_deliveries d set lease_token = null, lease_until = null
    from webhook_endpoints e cross join lateral (
      select id, lease_token from webhook_deliveries
       where endpoint_id = e.id and state in ('pending', 'waiting') and next_attempt_at <= $2
       order by next_attempt_at, id limit $3) as c
   where e.deleted_at is null and left(c.lease_token::text, 8) = any ($1::text[])
     and d.id = c.id and d.lease_token = c.lease_token`;

/** One look at the beginning of each endpoint's index, however much waits behind it. */
export const OVERDUE = `
  select e.id as "endpointId", e.company_id as "companyId"
    from webhook_endpoints e cross join lateral (
      select 1 from webhook_deliveries d
       where d.endpoint_id = e.id and d.state in ('pending', 'waiting') and d.next_attempt_at < $1
         and (d.lease_token is null or d.lease_until < now())
       order by d.next_attempt_at, d.id limit 1) as overdue
   where e.deleted_at is null and e.paused_at is null`;

export const DROP_OF_REMOVED = `
  update webhook_deliveries set state = 'dropped', next_attempt_at = null, finished_at = $1
   where id in (
     select d.id from webhook_endpoints e cross join lateral (
       select id from webhook_deliveries
        where endpoint_id = e.id and state in ('pending', 'waiting')
        limit $2 for update skip locked) as d
      where e.deleted_at is not null and ($3::text is null or e.id = $3) limit $2)
  returning id`;
