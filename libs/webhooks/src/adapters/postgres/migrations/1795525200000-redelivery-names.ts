import { Migration, type QueryRunner } from '@counterfoil/database';

/** Says in the schema what names mean that differ from those of the code (docs/glossary.md). */
export class RedeliveryNames1795525200000 extends Migration {
  override readonly name = 'RedeliveryNames1795525200000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `comment on table webhook_replays is 'redeliveries: earlier events that are sent again to an endpoint'`,
    );
    await runner.query(`comment on column webhook_deliveries.attempts is 'attempts made in all'`);
    await runner.query(
      `comment on column webhook_deliveries.tries is 'attempts since the delivery was created or last sent again'`,
    );
  }
}
