import {
  AppError,
  Clock,
  type Interval,
  occurrence,
  Transactions,
  UnavailableError,
} from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { RunDueOccurrences } from './run-due-occurrences';
import { ScheduleJobs } from './schedule-jobs';
import { SchedulingModule } from './scheduling.module';
import { type ScheduledRun, Schedules } from './schedules';
import { RecordingWork } from './testing/recording-work';
import { RecordingQueue } from './testing/recording-queue';

const MINUTE_MS = 60_000;
const refused = () => new AppError('VALIDATION_FAILED', 'it comes to too much');
const failed = () => new Error('a fault of ours');

let context: TestContext;
let companyId: number;
let work: RecordingWork;
const clock = new SetClock();
const queue = new RecordingQueue();
const onTestClock = (builder: TestingModuleBuilder) => builder.overrideProvider(Clock).useValue(clock);

beforeAll(async () => {
  context = await startTestContext(
    [SchedulingModule],
    (builder) => onTestClock(builder).overrideProvider(JobQueue).useValue(queue),
    { SCHEDULER_INTERVAL: '30s' },
  );
  await RecordingWork.prepare(context.database);
});
afterAll(() => context.close());
beforeEach(async () => {
  companyId = await aCompany();
  work = new RecordingWork(context);
  clock.set('2026-11-21T10:00:00Z');
  queue.jobs.length = 0;
  queue.isAway = false;
});

async function aCompany(): Promise<number> {
  const [made] = await context.database.query<{ id: string }>(
    `insert into companies (name, created_at) values ('Acme', now()) returning id`,
  );
  return Number(made!.id);
}

const open = (firstRunDate: string, interval: Interval = 'MONTHLY', company = companyId): Promise<number> =>
  context
    .get(Transactions)
    .run((tx) => context.get(Schedules).open(tx, company, { kind: 'RETAINER', interval, firstRunDate }));
const end = (id: number, company = companyId) =>
  context
    .get(Transactions)
    .run((tx) => context.get(Schedules).end(tx, company, { kind: 'RETAINER', id }, clock.now()));
const runDue = (id: number) => context.get(RunDueOccurrences).execute(id, work.ofKinds);
const recorded = (id: number) => RecordingWork.recorded(context.database, id);
const findDueRun = (id: number, now = clock.now()) =>
  context.get(Schedules).findDueRun(id, '2026-11-21', now);
const take = (run: ScheduledRun) =>
  context.get(Transactions).run((tx) => context.get(Schedules).take(tx, run, clock.now()));

interface Stored {
  readonly runs: number;
  readonly next: string;
  readonly attempts: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly nextAttemptAt: Date | null;
}

async function stored(id: number): Promise<Stored> {
  const [row] = await context.database.query<Stored>(
    `select runs, next_run_date::text as next, attempts, refusal_code as code, refusal_message as message,
            next_attempt_at as "nextAttemptAt" from schedules where id = $1`,
    [id],
  );
  return row!;
}

const reported = async (id: number) =>
  (
    await context.database.query<{ data: object }>(
      `select body::jsonb -> 'data' as data from outbox_events
        where company_id = $1 and (body::jsonb #>> '{data,scheduleId}')::bigint = $2 order by sequence`,
      [companyId, id],
    )
  ).map(({ data }) => data);

describe('due runs', () => {
  it.each([
    ['in winter', '2026-01-15', '2026-01-14T22:00:00.000Z'],
    ['in summer', '2026-07-15', '2026-07-14T21:00:00.000Z'],
    ['on the day on which clocks go forward', '2026-03-27', '2026-03-26T22:00:00.000Z'],
    ['on the day after it', '2026-03-28', '2026-03-27T21:00:00.000Z'],
    ['on the day on which clocks go back', '2026-10-25', '2026-10-24T21:00:00.000Z'],
    ['on the day after that', '2026-10-26', '2026-10-25T22:00:00.000Z'],
  ])('%s are executed from midnight in Israel on', async (_, day, midnight) => {
    const id = await open(day);
    clock.set(new Date(Date.parse(midnight) - 1));
    await runDue(id);
    expect(await recorded(id)).toEqual([]);
    clock.set(midnight);
    await runDue(id);
    expect(await recorded(id)).toEqual([day]);
    await runDue(id);
    expect(await recorded(id)).toEqual([day]);
  });

  it.each<[Interval, string, string[]]>([
    ['MONTHLY', '2026-07-31', ['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31']],
    ['YEARLY', '2024-02-29', ['2024-02-29', '2025-02-28', '2026-02-28']],
    ['WEEKLY', '2026-11-01', ['2026-11-01', '2026-11-08', '2026-11-15']],
  ])('%s that were missed are executed in order, each with its date', async (interval, first, dates) => {
    const id = await open(first, interval);
    await runDue(id);
    expect(await recorded(id)).toEqual(dates);
    expect(await stored(id)).toMatchObject({
      runs: dates.length,
      next: occurrence(first, interval, dates.length),
    });
    const kept = await context.database.query(
      'select run_date::text as date, done_at from scheduled_runs where schedule_id = $1 order by run_date',
      [id],
    );
    expect(kept).toEqual(dates.map((date) => ({ date, done_at: clock.now() })));
  });

  it('wait behind the first that fails', async () => {
    const id = await open('2026-08-21');
    work.fault = ({ runDate }) => (runDate === '2026-09-21' ? refused() : null);
    await runDue(id);
    expect(await recorded(id)).toEqual(['2026-08-21']);
    clock.advance(MINUTE_MS);
    work.fault = () => null;
    await runDue(id);
    expect(await recorded(id)).toEqual(['2026-08-21', '2026-09-21', '2026-10-21', '2026-11-21']);
  });

  it('are not started after stop(), and the current one ends', async () => {
    const id = await open('2026-08-21');
    const other = await openTestContext(context.config, [SchedulingModule], onTestClock);
    const own = new RecordingWork(other);
    own.fault = ({ runDate }) => {
      if (runDate === '2026-09-21') other.get(RunDueOccurrences).stop();
      return null;
    };
    await other.get(RunDueOccurrences).execute(id, own.ofKinds);
    expect(await recorded(id)).toEqual(['2026-08-21', '2026-09-21']);
    await other.close();
  });
});

describe('a run', () => {
  it('is executed with all its work, or not at all', async () => {
    const id = await open('2026-11-21');
    work.fault = failed;
    await runDue(id);
    expect(await recorded(id)).toEqual([]);
    expect(await stored(id)).toMatchObject({ runs: 0, next: '2026-11-21', attempts: 1 });
    expect(await context.database.query('select from scheduled_runs where schedule_id = $1', [id])).toEqual(
      [],
    );
  });

  it('that another process has locked is skipped without waiting', async () => {
    const id = await open('2026-11-21');
    const held = context.database.hold(`select from schedules where id = ${id} for no key update`);
    await held.ready;
    await runDue(id);
    expect(await recorded(id)).toEqual([]);
    await held.release();
    // It was neither executed nor postponed: the other process may have died.
    expect(await stored(id)).toMatchObject({ attempts: 0, nextAttemptAt: null });
    await runDue(id);
    expect(await recorded(id)).toEqual(['2026-11-21']);
  });

  it('is not blocked by a transaction that writes a document of the schedule', async () => {
    const id = await open('2026-11-21');
    const held = context.database.hold(`select from schedules where id = ${id} for key share`);
    await held.ready;
    await runDue(id);
    await held.release();
    expect(await recorded(id)).toEqual(['2026-11-21']);
  });

  it('that was executed meanwhile is neither repeated nor postponed', async () => {
    const id = await open('2026-11-21');
    const run = (await findDueRun(id))!;
    await take(run);
    await expect(take(run)).rejects.toThrow(`the run of 2026-11-21 of schedule ${id} is taken`);
    const postponed = await context
      .get(Transactions)
      .run((tx) => context.get(Schedules).postpone(tx, run, clock.now(), refused()));
    expect(postponed).toBe(false);
    expect(await stored(id)).toMatchObject({ runs: 1, next: '2026-12-21', attempts: 0, code: null });
  });

  it('cannot be recorded twice for a date, because of the primary key', async () => {
    const id = await open('2026-11-21');
    await runDue(id);
    await expect(
      context.database.query(
        `insert into scheduled_runs (schedule_id, run_date, done_at) values ($1, '2026-11-21', now())`,
        [id],
      ),
    ).rejects.toThrow('scheduled_runs_pkey');
  });
});

describe('an ended schedule', () => {
  it('has no due runs', async () => {
    const id = await open('2026-09-21');
    clock.set('2030-01-01T12:00:00Z');
    expect(await end(id)).toBe(true);
    const ended = await context.database.query('select ended_at as at from schedules where id = $1', [id]);
    expect(ended).toEqual([{ at: clock.now() }]);
    clock.set('2026-11-21T10:00:00Z');
    await runDue(id);
    expect(await recorded(id)).toEqual([]);
    expect(await context.get(Schedules).findDueSchedules(companyId, '2026-11-21', clock.now(), 100)).toEqual(
      [],
    );
    expect(await context.get(Schedules).findDueCompanies('2026-11-21', clock.now(), 100_000)).not.toContain(
      companyId,
    );
    expect(await end(id)).toBe(false);
  });

  it('is not taken if it ended after its run was found', async () => {
    const id = await open('2026-11-21');
    const run = (await findDueRun(id))!;
    await end(id);
    await expect(take(run)).rejects.toThrow('is taken');
  });

  it('can be ended only by its company and as its kind', async () => {
    const id = await open('2026-11-21');
    expect(await end(id, await aCompany())).toBe(false);
    await context.database.query(`update schedules set kind = 'RECURRING_PAYMENT' where id = $1`, [id]);
    expect(await end(id)).toBe(false);
  });

  it('ends after the current run and before the next', async () => {
    const id = await open('2026-09-21');
    const run = (await findDueRun(id))!;
    let ending: Promise<boolean> | undefined;
    await context.get(Transactions).run(async (tx) => {
      await context.get(Schedules).take(tx, run, clock.now());
      ending = openEnd(id);
      await until('it to wait', async () => (await waitingForLock()) > 0);
    });
    expect(await ending).toBe(true);
    expect(await stored(id)).toMatchObject({ runs: 1 });
    await runDue(id);
    expect(await recorded(id)).toEqual([]);
  });

  /** Uses a separate connection, like another process. */
  const openEnd = async (id: number): Promise<boolean> => {
    const rows = await context.database.query(
      'update schedules set ended_at = now() where id = $1 and ended_at is null returning id',
      [id],
    );
    return rows.length > 0;
  };
  const waitingForLock = async () =>
    (
      await context.database.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).length;
});

describe('a refused run', () => {
  it('is retried after pauses that double up to an hour, and reported once', async () => {
    const id = await open('2026-11-21');
    work.fault = refused;
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await runDue(id);
      const { attempts, nextAttemptAt, code, message } = await stored(id);
      expect({ attempts, code, message }).toEqual({
        ...{ attempts: attempt, code: 'VALIDATION_FAILED', message: 'it comes to too much' },
      });
      pauses.push((nextAttemptAt!.getTime() - clock.now().getTime()) / 1_000);
      clock.set(new Date(nextAttemptAt!.getTime() - 1));
      await runDue(id);
      expect(await stored(id)).toMatchObject({ attempts: attempt });
      clock.advance(1);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
    expect(await reported(id)).toEqual([
      {
        scheduleId: id,
        runDate: '2026-11-21',
        code: 'VALIDATION_FAILED',
        error: 'it comes to too much',
      },
    ]);
  });

  it('is cleared on success, and reported again for the next date', async () => {
    const id = await open('2026-10-21');
    work.fault = refused;
    await runDue(id);
    clock.advance(MINUTE_MS);
    work.fault = ({ runDate }) => (runDate === '2026-11-21' ? refused() : null);
    await runDue(id);
    expect(await recorded(id)).toEqual(['2026-10-21']);
    expect(await stored(id)).toMatchObject({ attempts: 1, code: 'VALIDATION_FAILED' });
    clock.advance(MINUTE_MS);
    work.fault = () => null;
    await runDue(id);
    expect(await stored(id)).toEqual({
      ...{ runs: 2, next: '2026-12-21', attempts: 0, code: null, message: null, nextAttemptAt: null },
    });
    expect(await reported(id)).toMatchObject([{ runDate: '2026-10-21' }, { runDate: '2026-11-21' }]);
  });

  it('is reported once by concurrent attempts', async () => {
    const id = await open('2026-11-21');
    work.fault = refused;
    await Promise.all(Array.from({ length: 8 }, () => runDue(id)));
    expect(await reported(id)).toHaveLength(1);
    expect(await stored(id)).toMatchObject({ attempts: 1 });
  });

  const shownFault = { code: 'INTERNAL', message: 'an internal error; the run is retried' };
  const busy = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const away = () => new UnavailableError('database', 'the database is away', { retryAfterSeconds: 1 });

  it.each([
    ['an error that nobody has foreseen', failed, shownFault],
    ['a service that is away', away, { code: null, message: null }],
    ['a database that is busy', busy, { code: null, message: null }],
    ['a fault that is known as ours', () => new AppError('INTERNAL', 'a defect'), shownFault],
  ])('is retried and not reported after an internal error: %s', async (_, fault, shown) => {
    const id = await open('2026-11-21');
    work.fault = fault;
    await runDue(id);
    expect(await stored(id)).toMatchObject({ attempts: 1, ...shown });
    expect(await reported(id)).toEqual([]);
    clock.advance(30_000);
    work.fault = () => null;
    await runDue(id);
    expect(await recorded(id)).toEqual(['2026-11-21']);
    expect(await stored(id)).toMatchObject({ attempts: 0, code: null, message: null });
  });

  it('keeps the shown refusal while the database is unavailable', async () => {
    const id = await open('2026-11-21');
    for (const [fault, code] of [
      [failed, 'INTERNAL'],
      [away, 'INTERNAL'],
      [refused, 'VALIDATION_FAILED'],
      [away, 'VALIDATION_FAILED'],
    ] as const) {
      work.fault = fault;
      await runDue(id);
      expect(await stored(id)).toMatchObject({ code });
      clock.advance(3_600_000);
    }
  });

  it('is reported after an earlier internal error, and stays shown through another', async () => {
    const id = await open('2026-11-21');
    for (const fault of [failed, refused, failed, refused]) {
      work.fault = fault;
      await runDue(id);
      clock.advance(3_600_000);
    }
    expect(await reported(id)).toMatchObject([{ code: 'VALIDATION_FAILED', error: 'it comes to too much' }]);
    expect(await stored(id)).toMatchObject({
      ...{ attempts: 4, code: 'VALIDATION_FAILED', message: 'it comes to too much' },
    });
  });
});

describe('ScheduleJobs', () => {
  const findDueCompanies = (limit: number) =>
    context.get(Schedules).findDueCompanies('2026-11-21', clock.now(), limit);
  const findDueSchedules = (company: number, limit: number) =>
    context.get(Schedules).findDueSchedules(company, '2026-11-21', clock.now(), limit);

  beforeEach(() => context.database.query('update schedules set ended_at = now() where ended_at is null'));

  it('finds each company once, the longest due first', async () => {
    const other = await aCompany();
    await context.database.query(
      `insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
       select $1, 'RETAINER', 'MONTHLY', '2025-01-01', date '2025-01-01' + (n % 300)::int
         from generate_series(1, 3000) n`,
      [companyId],
    );
    const id = await open('2026-11-21', 'MONTHLY', other);
    await open('2026-11-22', 'MONTHLY', await aCompany());
    expect(await findDueCompanies(100)).toEqual([companyId, other]);
    expect(await findDueCompanies(1)).toEqual([companyId]);
    expect(await findDueSchedules(other, 100)).toEqual([id]);
    const [first] = await findDueSchedules(companyId, 1);
    expect(await stored(first!)).toMatchObject({ next: '2025-01-01' });
    expect(await findDueSchedules(companyId, 100_000)).toHaveLength(3_000);
  });

  it('are due since midnight in Israel, whatever the time zone of the server', async () => {
    await open('2026-12-01', 'MONTHLY', await aCompany());
    const night = new Date('2026-11-30T22:30:00Z');
    expect(await context.get(Schedules).backlog('2026-12-01', night)).toEqual({
      waiting: 1,
      oldestDueAt: new Date('2026-11-30T22:00:00Z'),
    });
  });

  it('signals each company once, also when a postponed run becomes due', async () => {
    const [today, tomorrow, gone, refusing] = [
      companyId,
      await aCompany(),
      await aCompany(),
      await aCompany(),
    ];
    await open('2026-11-21', 'MONTHLY', today);
    await open('2026-11-21', 'MONTHLY', today);
    await open('2026-11-22', 'MONTHLY', tomorrow);
    await end(await open('2026-11-21', 'MONTHLY', gone), gone);
    work.fault = refused;
    await runDue(await open('2026-11-20', 'MONTHLY', refusing));
    await context.get(ScheduleJobs).signalDue();
    expect(queue.companyIds).toEqual([today]);
    clock.advance(30_000);
    await context.get(ScheduleJobs).signalDue();
    expect(queue.companyIds).toEqual([today, refusing, today]);
    clock.set('2026-11-22T10:00:00Z');
    queue.jobs.length = 0;
    await context.get(ScheduleJobs).signalDue();
    expect(queue.companyIds).toEqual([refusing, today, tomorrow]);
  });

  it('finds the companies again after the queue was unavailable', async () => {
    await open('2026-11-21');
    queue.isAway = true;
    await context.get(ScheduleJobs).signalDue();
    queue.isAway = false;
    await context.get(ScheduleJobs).signalDue();
    expect(queue.companyIds).toEqual([companyId]);
  });

  it('signals a company after the commit that opened a schedule, and not after a rollback', async () => {
    const transactions = context.get(Transactions);
    const [jobs, schedules] = [context.get(ScheduleJobs), context.get(Schedules)];
    const opening = { kind: 'RETAINER', interval: 'MONTHLY', firstRunDate: '2026-11-21' } as const;
    await transactions.run(async (tx) => {
      await schedules.open(tx, companyId, opening);
      jobs.signalAfter(tx, companyId);
      expect(queue.jobs).toEqual([]);
    });
    await until('the signal', () => queue.jobs.length > 0);
    expect(queue.jobs).toEqual([{ id: `schedules-${companyId}-0`, payload: { companyId, turn: 0 } }]);
    const undone = transactions.run(async (tx) => {
      await schedules.open(tx, companyId, opening);
      jobs.signalAfter(tx, companyId);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(queue.companyIds).toEqual([companyId]);
  });
});

describe.each([2, 8])('%d processes that execute the same schedules concurrently', (processes) => {
  it('execute each run once and in order, and leave none', async () => {
    const contexts: OpenContext[] = [];
    for (let n = 0; n < processes; n++) {
      contexts.push(await openTestContext(context.config, [SchedulingModule], onTestClock));
    }
    try {
      const ids: number[] = [];
      for (let n = 0; n < 12; n++) ids.push(await open('2026-05-31'));
      await Promise.all(
        contexts.map(async (one, at) => {
          const own = new RecordingWork(one);
          // Half of them start at the other end, so that they collide everywhere.
          const order = at % 2 === 0 ? ids : ids.toReversed();
          await Promise.all(order.map((id) => one.get(RunDueOccurrences).execute(id, own.ofKinds)));
        }),
      );
      // A schedule locked by another process is skipped, as in a job. The sweep finds the rest.
      for (const id of ids) await runDue(id);
      const dates = ['2026-05-31', '2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31'];
      for (const id of ids) {
        expect(await recorded(id)).toEqual(dates);
        expect(await stored(id)).toMatchObject({ runs: 6, next: '2026-11-30', attempts: 0 });
      }
    } finally {
      await Promise.all(contexts.map((one) => one.close()));
    }
  });
});
