import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the number of callers that wait for each requested reading. A document without waiting callers is not
 * read.
 */
export class ReadingWaiters1795464000000 extends Migration {
  override readonly name = 'ReadingWaiters1795464000000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table reading_requests add column waiters integer not null default 1
         constraint reading_requests_waiters check (waiters >= 0)`,
    );
  }
}
