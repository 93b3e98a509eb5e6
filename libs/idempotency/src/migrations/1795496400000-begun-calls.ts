import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * A call that continues after its commit has no response yet. Until then, its row has the id of the resource
 * that it wrote.
 */
export class BegunCalls1795496400000 extends Migration {
  override readonly name = 'BegunCalls1795496400000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table idempotency_keys
        add column resource_id bigint,
        alter column response drop not null,
        add constraint idempotency_keys_begun check (response is not null or resource_id is not null) not valid`);
  }
}
