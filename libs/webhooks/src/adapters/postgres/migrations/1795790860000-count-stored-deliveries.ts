import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Counts the deliveries that were stored before the triggers were there. A single statement sees deliveries and counts
 * of one moment, so it adds what is missing, whatever is written meanwhile, and nothing when it runs again.
 */
export class CountStoredDeliveries1795790860000 extends Migration {
  override readonly name = 'CountStoredDeliveries1795790860000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(COUNT_STORED);
  }
}

export const COUNT_STORED = `
  with stored as (
    select company_id, endpoint_id, count(*) as deliveries from webhook_deliveries group by company_id, endpoint_id
  ), counted as (
    select company_id, endpoint_id, sum(deliveries) as deliveries
      from webhook_delivery_counts group by company_id, endpoint_id
  )
  insert into webhook_delivery_counts (company_id, endpoint_id, deliveries)
  select company_id, endpoint_id, coalesce(stored.deliveries, 0) - coalesce(counted.deliveries, 0)
    from stored full join counted using (company_id, endpoint_id)
   where coalesce(stored.deliveries, 0) <> coalesce(counted.deliveries, 0)`;
