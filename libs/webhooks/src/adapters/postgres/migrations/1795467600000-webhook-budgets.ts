import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the number of attempts of each company and day, and the time since which all attempts to an endpoint
 * have failed.
 */
export class WebhookBudgets1795467600000 extends Migration {
  override readonly name = 'WebhookBudgets1795467600000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table webhook_endpoints add column failing_since timestamptz');
    await runner.query(
      `create table webhook_budgets (
        company_id bigint not null references companies,
        day date not null,
        used integer not null default 0,
        primary key (company_id, day)
      ) with (fillfactor = 50)`,
    );
  }
}
