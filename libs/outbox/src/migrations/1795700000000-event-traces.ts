import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the trace in which an event was appended: `traceparent` and, after a blank, `tracestate`. Null if tracing is
 * off, which takes no space, and for events of the previous version.
 */
export class EventTraces1795700000000 extends Migration {
  override readonly name = 'EventTraces1795700000000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table outbox_events add column trace text');
  }
}
