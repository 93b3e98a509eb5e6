import { statement } from '@counterfoil/database';

interface Batch {
  readonly before: Date;
  readonly batch: number;
}

/** A page of the primary key, which is in the order of the deliveries' age. */
export const PURGE_PAGE = statement<
  Batch & { readonly after: number },
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

export const PURGE_REDELIVERIES = statement<Batch>(
  'webhook_replays: purge',
  `delete from webhook_replays
    where id in (select id from webhook_replays where finished_at < :before limit :batch) returning 1`,
);

export const PURGE_ENDPOINTS = statement<Batch>(
  'webhook_endpoints: purge',
  `delete from webhook_endpoints
    where id in (
      select id from webhook_endpoints e
       where deleted_at < :before
         and not exists (select from webhook_deliveries d where d.endpoint_id = e.id)
       limit :batch)
    returning 1`,
);

export const FIND_REFERRED_TO = statement<{ readonly eventIds: readonly string[] }, { readonly id: string }>(
  'webhook_deliveries: referred to',
  `select id from unnest(:eventIds::text[]) as e (id)
    where exists (select from webhook_deliveries d where d.event_id = e.id)`,
);
