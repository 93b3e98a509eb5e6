import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds when the reminders of a day were all queued, so that a later change of the days is seen. */
export class ReminderCompletions1795790854000 extends Migration {
  override readonly name = 'ReminderCompletions1795790854000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table reminder_progress
         -- When the reminders of queued_until were all queued.
         add column completed_at timestamptz`,
    );
  }
}
