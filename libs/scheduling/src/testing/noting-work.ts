import { managerOf } from '@counterfoil/database';
import { Clock, type PlainDate, Transactions } from '@counterfoil/kernel';
import type { NewEvent } from '@counterfoil/outbox';
import type { OpenContext, TestDatabase } from '@counterfoil/test-harness';
import type { ScheduledWork, WorkOfKinds } from '../catch-up';
import { type RunRefusal, SCHEDULE_KINDS, type ScheduledRun, Schedules } from '../schedules';

/** Work that notes in the database what it has done, in the transaction that takes the run. */
export class NotingWork implements ScheduledWork {
  /** What is thrown once the run is taken and noted; null lets it be done. */
  fault: (run: ScheduledRun) => Error | null = () => null;

  constructor(private readonly context: OpenContext) {}

  /** The table that it writes to, which keeps what is done twice. */
  static prepare(database: TestDatabase): Promise<unknown> {
    return database.query('create table noted (sequence serial, schedule_id bigint, run_date date)');
  }

  static async noted(database: TestDatabase, scheduleId: number): Promise<PlainDate[]> {
    const rows = await database.query<{ date: string }>(
      'select run_date::text as date from noted where schedule_id = $1 order by sequence',
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
      const note = 'insert into noted (schedule_id, run_date) values ($1, $2)';
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
