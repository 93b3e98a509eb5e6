import { managerOf } from '@counterfoil/database';
import { Clock, type PlainDate, Transactions } from '@counterfoil/kernel';
import type { NewEvent } from '@counterfoil/outbox';
import type { OpenContext, TestDatabase } from '@counterfoil/test-harness';
import type { ScheduledWork, WorkOfKinds } from '../run-due-occurrences';
import { type RunRefusal, SCHEDULE_KINDS, type ScheduledRun, Schedules } from '../schedules';

/** Work that records its runs in the database, in the transaction that takes the run. */
export class RecordingWork implements ScheduledWork {
  /** Returns the error to throw after the run is taken and recorded; null for success. */
  fault: (run: ScheduledRun) => Error | null = () => null;

  constructor(private readonly context: OpenContext) {}

  /** Creates the table of recorded runs. It has no unique key, so that repeated runs show. */
  static prepare(database: TestDatabase): Promise<unknown> {
    return database.query('create table recorded (sequence serial, schedule_id bigint, run_date date)');
  }

  static async recorded(database: TestDatabase, scheduleId: number): Promise<PlainDate[]> {
    const rows = await database.query<{ date: string }>(
      'select run_date::text as date from recorded where schedule_id = $1 order by sequence',
      [scheduleId],
    );
    return rows.map(({ date }) => date);
  }

  get ofKinds(): WorkOfKinds {
    return Object.fromEntries(SCHEDULE_KINDS.map((kind) => [kind, this])) as unknown as WorkOfKinds;
  }

  async carryOut(run: ScheduledRun): Promise<void> {
    await this.context.get(Transactions).run(async (tx) => {
      await this.context.get(Schedules).take(tx, run, this.context.get(Clock).now());
      const note = 'insert into recorded (schedule_id, run_date) values ($1, $2)';
      await managerOf(tx).query(note, [run.scheduleId, run.runDate]);
      const fault = this.fault(run);
      if (fault) throw fault;
    });
  }

  eventsOf({ scheduleId, runDate }: ScheduledRun, { code, message }: RunRefusal): Promise<NewEvent[]> {
    const data: object = { scheduleId, runDate, code, error: message };
    return Promise.resolve([{ type: 'retainer.document_refused', data } as NewEvent]);
  }
}
