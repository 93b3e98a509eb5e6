import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds how far the batches of a day are, and when a company had its last turn. */
export class ReminderBatches1795790852000 extends Migration {
  override readonly name = 'ReminderBatches1795790852000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table reminder_progress
         -- Null until the first turn. Companies whose turn was the longest ago come first.
         add column turn_at timestamptz,
         -- The last document of the batches of a day, and the time of the last one.
         add column batch_document_id bigint,
         add column batch_at timestamptz,
         add constraint reminder_progress_batch check ((batch_document_id is null) = (batch_at is null))`,
    );
  }
}
