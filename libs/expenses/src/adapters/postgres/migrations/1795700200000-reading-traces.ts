import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the trace of the call that waits for the reading. Null if tracing is off. */
export class ReadingTraces1795700200000 extends Migration {
  override readonly name = 'ReadingTraces1795700200000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table reading_requests add column trace text');
  }
}
