import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, Clock, type Interval, type PlainDate, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { CompanyBatch } from './company-batch';
import { SchedulingModule } from './scheduling.module';
import { Schedules } from './schedules';
import { RecordingWork } from './testing/recording-work';
import { RecordingQueue } from './testing/recording-queue';

const TEN_YEARS_AGO = '2016-11-22';
const WEEKS = 522;

let context: TestContext;
let companyId: number;
let work: RecordingWork;
const clock = new SetClock();
const queue = new RecordingQueue();
const onTestClock = (builder: TestingModuleBuilder) =>
  builder.overrideProvider(Clock).useValue(clock).overrideProvider(JobQueue).useValue(queue);

beforeAll(async () => {
  context = await startTestContext([SchedulingModule], onTestClock, { SCHEDULER_INTERVAL: '30s' });
  await RecordingWork.prepare(context.database);
});
afterAll(() => context.close());
beforeEach(async () => {
  clock.set('2026-11-22T10:00:00Z');
  queue.jobs.length = 0;
  companyId = await aCompany();
  work = new RecordingWork(context);
});

async function aCompany(): Promise<number> {
  const [made] = await context.database.query<{ id: string }>(
    `insert into companies (name, created_at) values ('Acme', now()) returning id`,
  );
  return Number(made!.id);
}

const open = (firstRunDate: PlainDate, interval: Interval = 'MONTHLY', company = companyId) =>
  context
    .get(Transactions)
    .run((tx) => context.get(Schedules).open(tx, company, { kind: 'RETAINER', interval, firstRunDate }));

async function openMany(count: number, firstRunDate: PlainDate, interval: Interval): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await open(firstRunDate, interval));
  return ids;
}

const runBatch = (company = companyId, turn = 0, own = work, of: OpenContext = context) =>
  of.get(CompanyBatch).execute(company, turn, own.ofKinds);
const recorded = (id: number) => RecordingWork.recorded(context.database, id);
const recordedOf = async (ids: readonly number[]) => {
  const [row] = await context.database.query<{ count: number }>(
    'select count(*)::int as count from recorded where schedule_id = any($1)',
    [ids],
  );
  return row!.count;
};
const countPostponed = async (ids: readonly number[]) => {
  const [row] = await context.database.query<{ count: number }>(
    'select count(*)::int as count from schedules where id = any($1) and attempts > 0',
    [ids],
  );
  return row!.count;
};

describe('a company with many due runs', () => {
  it('gets a second, then queues behind the others under another job id', async () => {
    const ids = await openMany(60, TEN_YEARS_AGO, 'WEEKLY');
    const other = await aCompany();
    const theirs = await open('2026-11-22', 'MONTHLY', other);

    const began = performance.now();
    await runBatch();
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(900);
    expect(took).toBeLessThan(3_000);
    const first = await recordedOf(ids);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(60 * WEEKS);
    expect(queue.jobs).toEqual([{ id: `schedules-${companyId}-1`, payload: { companyId, turn: 1 } }]);
    expect(await recorded(theirs)).toEqual([]);

    await runBatch(other);
    expect(await recorded(theirs)).toEqual(['2026-11-22']);
    expect(queue.jobs).toHaveLength(1);

    await runBatch(companyId, 1);
    expect(await recordedOf(ids)).toBeGreaterThan(first);
    expect(queue.jobs.at(-1)).toEqual({
      id: `schedules-${companyId}-0`,
      payload: { companyId, turn: 2 },
    });
  });

  it('has all runs executed by its batches, each date once and in order', async () => {
    const ids = await openMany(8, TEN_YEARS_AGO, 'WEEKLY');
    queue.jobs.push({ id: '', payload: { companyId, turn: 0 } });
    for (let job = queue.jobs.shift(); job; job = queue.jobs.shift())
      await runBatch(companyId, job.payload.turn);
    const dates = Array.from({ length: WEEKS }, (_, week) =>
      new Date(Date.parse(TEN_YEARS_AGO) + week * 7 * 86_400_000).toISOString().slice(0, 10),
    );
    expect(dates.at(-1)! <= '2026-11-22').toBe(true);
    for (const id of ids) expect(await recorded(id)).toEqual(dates);
  }, 60_000);

  it('with many schedules continues where a batch has ended', async () => {
    const ids = await openMany(230, '2026-11-22', 'YEARLY');
    let turns = 0;
    queue.jobs.push({ id: '', payload: { companyId, turn: 0 } });
    for (let job = queue.jobs.shift(); job; job = queue.jobs.shift()) {
      expect(job.payload.turn).toBe(turns++);
      await runBatch(companyId, job.payload.turn);
      expect(await recordedOf(ids)).toBeLessThanOrEqual(100 * turns);
    }
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(await recordedOf(ids)).toBe(230);
  }, 30_000);

  it('has executable runs found behind a hundred refused ones', async () => {
    const refused = await openMany(150, '2026-11-20', 'YEARLY');
    const id = await open('2026-11-22');
    work.fault = ({ scheduleId }) =>
      scheduleId === id ? null : new AppError('VALIDATION_FAILED', 'it comes to too much');
    await runBatch();
    expect(queue.jobs.map(({ payload }) => payload)).toEqual([{ companyId, turn: 1 }]);
    for (let job = queue.jobs.shift(); job; job = queue.jobs.shift())
      await runBatch(companyId, job.payload.turn);
    expect(await recorded(id)).toEqual(['2026-11-22']);
    expect(await countPostponed(refused)).toBe(150);
  }, 30_000);
});

describe('no further batch is signalled', () => {
  it('if no run is left', async () => {
    const ids = await openMany(3, '2026-09-22', 'MONTHLY');
    await runBatch();
    expect(await recordedOf(ids)).toBe(9);
    expect(queue.jobs).toEqual([]);
    await runBatch();
    expect(queue.jobs).toEqual([]);
  });

  it('if other processes have locked all runs', async () => {
    const ids = await openMany(120, '2026-09-22', 'MONTHLY');
    const held = context.database.hold(
      `select from schedules where company_id = ${companyId} for no key update`,
    );
    await held.ready;
    await runBatch();
    expect(queue.jobs).toEqual([]);
    await held.release();
    expect(await recordedOf(ids)).toBe(0);
    expect(await countPostponed(ids)).toBe(0);
  });

  it('if all runs were postponed', async () => {
    const ids = await openMany(20, '2026-09-22', 'MONTHLY');
    work.fault = () => new AppError('VALIDATION_FAILED', 'it comes to too much');
    await runBatch();
    expect(await countPostponed(ids)).toBe(20);
    expect(queue.jobs).toEqual([]);
    await runBatch();
    expect(queue.jobs).toEqual([]);
  });
});

describe('a batch', () => {
  it('ends with its current runs after stop(), and leaves the others', async () => {
    const ids = await openMany(20, TEN_YEARS_AGO, 'WEEKLY');
    const other = await openTestContext(context.config, [SchedulingModule], onTestClock);
    const own = new RecordingWork(other);
    let [begun, stoppedAt] = [0, NaN];
    own.fault = () => {
      if (++begun === 5) {
        other.get(CompanyBatch).stop();
        stoppedAt = performance.now();
      }
      return null;
    };
    await runBatch(companyId, 0, own, other);
    // Before the second that a batch may take is over.
    expect(performance.now() - stoppedAt).toBeLessThan(900);
    await other.close();
    // The fifth run, and the one that ran beside it.
    expect(await recordedOf(ids)).toBeGreaterThanOrEqual(5);
    expect(await recordedOf(ids)).toBeLessThanOrEqual(6);
  });

  it('executes the other schedules if one can be neither executed nor postponed, and fails', async () => {
    const ids = await openMany(4, '2026-11-22', 'YEARLY');
    const [broken, ...others] = ids;
    work.fault = ({ scheduleId }) => (scheduleId === broken ? new Error('a fault of ours') : null);
    await context.database.query(`
      create function break_down() returns trigger language plpgsql as $$ begin raise 'broken down'; end $$;
      create trigger break_down before update on schedules
        for each row when (new.id = ${broken} and new.attempts > 0) execute function break_down()`);
    await expect(runBatch()).rejects.toThrow('broken down');
    await context.database.query('drop trigger break_down on schedules; drop function break_down');
    expect(await recordedOf(others)).toBe(3);
    expect(await recorded(broken!)).toEqual([]);
  });

  it('of the same company in another process shares the runs with it, each once', async () => {
    const ids = await openMany(12, '2026-01-31', 'MONTHLY');
    const other = await openTestContext(context.config, [SchedulingModule], onTestClock);
    try {
      for (let turn = 0; turn < 10 && (await recordedOf(ids)) < 120; turn++) {
        await Promise.all([
          runBatch(companyId, turn),
          runBatch(companyId, turn, new RecordingWork(other), other),
        ]);
      }
    } finally {
      await other.close();
    }
    const dates = [
      ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30', '2026-07-31'],
      ...['2026-08-31', '2026-09-30', '2026-10-31'],
    ];
    for (const id of ids) expect(await recorded(id)).toEqual(dates);
  });

  it('runs two schedules concurrently, and the runs of one schedule in order', async () => {
    await openMany(6, '2026-10-22', 'MONTHLY');
    let [running, most] = [0, 0];
    const slow = {
      carryOut: async (run: Parameters<RecordingWork['carryOut']>[0]) => {
        most = Math.max(most, ++running);
        await sleep(20);
        await work.carryOut(run);
        running--;
      },
      eventsOf: () => Promise.resolve([]),
    };
    await context.get(CompanyBatch).execute(companyId, 0, { RETAINER: slow, RECURRING_PAYMENT: slow });
    expect(most).toBe(2);
  });
});
