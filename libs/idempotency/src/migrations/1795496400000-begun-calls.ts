import { Migration, type QueryRunner } from '@counterfoil/database';

/** Calls that go on after their commit have no response yet: until then they are known by what they wrote. */
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
