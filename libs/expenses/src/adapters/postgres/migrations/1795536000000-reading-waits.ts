import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the time until which the API is known to wait for each requested reading. `infinity` is correct for
 * an API of the previous version, which does not renew it.
 */
export class ReadingWaits1795536000000 extends Migration {
  override readonly name = 'ReadingWaits1795536000000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table reading_requests add column waited_until timestamptz not null default 'infinity'`,
    );
  }
}
