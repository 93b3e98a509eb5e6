import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Counts the deliveries of each endpoint, for the total of their list. Each statement that writes or deletes deliveries
 * adds a row with the difference, so writers never wait for each other. The worker merges the rows of an endpoint.
 * Deliveries that are stored already are counted by the next migration, which locks nothing.
 */
export class DeliveryCounts1795790859000 extends Migration {
  override readonly name = 'DeliveryCounts1795790859000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of COUNTS) await runner.query(statement);
  }
}

const COUNTS = [
  `create table webhook_delivery_counts (
    company_id bigint not null,
    endpoint_id text not null references webhook_endpoints on delete cascade,
    number bigint generated always as identity,
    deliveries bigint not null,
    primary key (endpoint_id, number)
  )`,
  // With the rights of the owner: processes of the release before run it, whose role has none on the new table yet.
  `create function count_webhook_deliveries() returns trigger language plpgsql
   security definer set search_path = public as $$
   begin
     insert into webhook_delivery_counts (company_id, endpoint_id, deliveries)
     select company_id, endpoint_id, case tg_op when 'INSERT' then count(*) else -count(*) end
       from changed group by company_id, endpoint_id;
     return null;
   end $$`,
  `create trigger count_new after insert on webhook_deliveries referencing new table as changed
     for each statement execute function count_webhook_deliveries()`,
  `create trigger count_removed after delete on webhook_deliveries referencing old table as changed
     for each statement execute function count_webhook_deliveries()`,
];
