import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateRetainer, EndRetainer, type NewRetainer, RetainersModule } from '@counterfoil/documents';
import { CreateCompany } from '@counterfoil/identity';
import { type Caller, Clock } from '@counterfoil/kernel';
import { MailQueueModule } from '@counterfoil/mail';
import { CreateParty } from '@counterfoil/parties';
import {
  createTestDatabase,
  noteCovered,
  type OpenContext,
  openTestContext,
  oneQueueStore,
  POSTGRESQL,
  type TestDatabase,
  testConfig,
  type TestStore,
  until,
} from '@counterfoil/test-harness';
import { SharedClock } from './clocked-worker';
import { loseQueue } from './lost-queue';
import { CrashingWorkers } from './crashing-workers';
import { Rng } from './trials/rng';

const DAY_MS = 86_400_000;
const WORKERS = 3;
const BEGIN = new Date('2025-01-20T09:00:00Z');
const END = new Date('2028-01-31T21:00:00Z');
/** Three years earlier: more missed runs than one batch has time for. */
const LATE = '2022-01-05';
/** Within this many days, every retainer except the yearly one becomes due again. */
const DUE_AGAIN_DAYS = 32;
/** A dead worker's claims last for 15 seconds, and a slow machine starts three workers meanwhile. */
const LIMIT_MS = 60_000;

/** The last day of every month for three years. */
const MONTH_ENDS = [
  ...['2025-01-31', '2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31', '2025-06-30'],
  ...['2025-07-31', '2025-08-31', '2025-09-30', '2025-10-31', '2025-11-30', '2025-12-31'],
  ...['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
  ...['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31', '2026-11-30', '2026-12-31'],
  ...['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
  ...['2027-07-31', '2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31'],
  '2028-01-31',
];
const LEAP_YEARS = ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28'];
const FIFTEENTHS = Array.from({ length: 36 }, (_, at) => {
  const month = String(1 + (at % 12)).padStart(2, '0');
  return `${2025 + Math.floor(at / 12)}-${month}-15`;
});
const WEDNESDAYS = Array.from({ length: 161 }, (_, week) =>
  new Date(Date.UTC(2025, 0, 1) + week * 7 * DAY_MS).toISOString().slice(0, 10),
);

interface Issued {
  readonly id: number;
  readonly retainerId: number;
  readonly companyId: number;
  readonly type: string;
  readonly number: number;
  readonly date: string;
}

/** Two companies with retainers, and workers that crash. */
class Years {
  readonly clock = new SharedClock(BEGIN);
  private readonly dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'counterfoil-data-'));
  private readonly env: Readonly<Record<string, string>>;
  readonly workers: CrashingWorkers;
  private context!: OpenContext;

  constructor(
    private readonly store: TestStore,
    readonly database: TestDatabase,
    readonly rng: Rng,
  ) {
    this.env = {
      DATABASE_URL: database.url,
      REDIS_URL: store.redisUrl ?? '',
      DATA_DIR: this.dataDir,
      SECRETS_KEY: 'test-secrets-key-of-32-characters',
      SCHEDULER_INTERVAL: '200ms',
      // Recorded deliveries must not be purged while the clock advances by years.
      WEBHOOK_RETENTION: '3650d',
      // Each of dozens of starts would try the sandboxes.
      READER_SANDBOX: 'off',
      LOG_LEVEL: 'error',
      LOG_FORMAT: 'json',
    };
    this.workers = new CrashingWorkers(this.clock, this.env, rng);
  }

  async open(): Promise<void> {
    const config = testConfig(this.database.url, this.env);
    this.context = await openTestContext(config, [RetainersModule.register(MailQueueModule)], (builder) =>
      builder.overrideProvider(Clock).useValue(this.clock),
    );
    await this.workers.start(WORKERS);
    noteCovered(this.store);
  }

  async close(): Promise<void> {
    await this.workers.stop();
    await this.context?.close();
    await this.database.drop();
    fs.rmSync(this.dataDir, { recursive: true, force: true });
    this.clock.remove();
  }

  async company(name: string): Promise<{ caller: Caller; entityId: number }> {
    const { companyId, userId } = await this.context.get(CreateCompany).execute(name, 'Owner');
    const caller: Caller = { companyId, userId, apiKeyId: 0, role: 'owner' };
    const details = { name: 'Client', taxId: '514000000', type: 'COMPANY' } as const;
    const { id } = await this.context.get(CreateParty).execute(caller, 'client', { details, contact: null });
    return { caller, entityId: id };
  }

  create(
    { caller, entityId }: { readonly caller: Caller; readonly entityId: number },
    changes: Partial<NewRetainer>,
  ): Promise<number> {
    const items = [{ description: 'Support', quantity: 1, unitPrice: 100 }];
    const monthly = { interval: 'MONTHLY', documentType: 'TAX_INVOICE', nextRunDate: '2025-01-31' } as const;
    const asked = { entityId, items, currency: 'ILS', ...monthly, ...changes };
    return this.context.get(CreateRetainer).execute(caller, asked);
  }

  end(caller: Caller, id: number): Promise<void> {
    return this.context.get(EndRetainer).execute(caller, id);
  }

  /** Advances the clock by some days, or sometimes by some months. */
  step(): void {
    this.advance(this.rng.between([0, 1]) < 0.1 ? this.rng.between([60, 150]) : this.rng.between([1, 16]));
  }

  advance(days: number): void {
    const next = Math.min(this.clock.now().getTime() + days * DAY_MS, END.getTime());
    this.clock.set(new Date(next));
  }

  /** Kills, pauses and disconnects the workers and their queue. */
  async misfortune(): Promise<void> {
    if (this.rng.between([0, 1]) < 0.6) await this.workers.strike();
    if (this.rng.between([0, 1]) < 0.3) await loseQueue(this.store, this);
    await sleep(this.rng.between([20, 400]));
  }

  issued(): Promise<Issued[]> {
    return this.database.query<Issued>(
      `select id::int, retainer_id::int as "retainerId", company_id::int as "companyId", type, number::int,
              issue_date::text as date from documents order by id`,
    );
  }

  async openRuns(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*)::int as count from schedules where ended_at is null and next_run_date <= '2025-01-20'`,
    );
    return row!.count;
  }

  async datesOf(retainerId: number): Promise<string[]> {
    return (await this.issued()).filter((one) => one.retainerId === retainerId).map(({ date }) => date);
  }

  /** Returns every document that an event reported, from the events. */
  async told(): Promise<unknown[]> {
    const rows = await this.database.query<{ type: string; body: string }>(
      'select type, body from outbox_events',
    );
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['document.created']));
    interface Snapshot {
      readonly documentId: number;
      readonly retainerId: number;
      readonly issueDate: string;
      readonly number: number;
    }
    return rows
      .map(({ body }) => (JSON.parse(body) as { data: { document: Snapshot } }).data.document)
      .sort((one, other) => one.documentId - other.documentId)
      .map(({ documentId, retainerId, issueDate, number }) => [documentId, retainerId, issueDate, number]);
  }
}

function expectNumberedWithoutGap(issued: readonly Issued[]): void {
  const series = new Map<string, number[]>();
  for (const { companyId, type, number } of issued) {
    const key = `${companyId} ${type}`;
    series.set(key, [...(series.get(key) ?? []), number]);
  }
  expect(series.size).toBe(3);
  for (const numbers of series.values()) {
    // Issued one after the other, so the order of ids is the order of numbers.
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1));
  }
}

describe.each(oneQueueStore())('with the $kind queue, three years of retainers', (store) => {
  let years: Years;
  /**
   * Replace this by a printed seed to repeat the random choices. The scheduling of processes still differs.
   */
  const seed = `retainers ${Date.now()}`;

  beforeAll(async () => {
    years = new Years(store, await createTestDatabase(), new Rng(seed));
    await years.open();
  });
  afterAll(() => years?.close());

  it(`issue each due date once, whatever is killed (seed ${seed})`, async () => {
    const [ours, theirs] = [await years.company('Ours'), await years.company('Theirs')];
    const monthly = await years.create(ours, {});
    const weekly = await years.create(ours, { interval: 'WEEKLY', nextRunDate: '2025-01-01' });
    const yearly = await years.create(theirs, { interval: 'YEARLY', nextRunDate: '2024-02-29' });
    const fifteenth = await years.create(ours, { documentType: 'PROFORMA', nextRunDate: '2025-01-15' });
    const brief = await years.create(ours, { nextRunDate: '2025-01-31' });
    let atItsEnd: { dates: string[]; today: string } | undefined;

    while (years.clock.now() < END) {
      years.step();
      await years.misfortune();
      if (!atItsEnd && years.clock.now() >= new Date('2026-06-10T00:00:00Z')) {
        await years.end(ours.caller, brief);
        atItsEnd = { dates: await years.datesOf(brief), today: years.clock.now().toISOString().slice(0, 10) };
        // On a slow machine, random kills might prevent every run.
        years.advance(DUE_AGAIN_DAYS);
        await years.workers.dieAtWork();
      }
    }
    await years.workers.heal();
    const [left] = ["select from schedules where ended_at is null and next_run_date <= '2028-01-31'"];
    await until('all to be issued', async () => (await years.database.query(left)).length === 0, LIMIT_MS);

    expect(await years.datesOf(monthly)).toEqual(MONTH_ENDS);
    expect(await years.datesOf(yearly)).toEqual(LEAP_YEARS);
    expect(await years.datesOf(fifteenth)).toEqual([...FIFTEENTHS, '2028-01-15']);
    expect(await years.datesOf(weekly)).toEqual(WEDNESDAYS);
    expect(WEDNESDAYS.at(-1)).toBe('2028-01-26');
    expect(await years.datesOf(brief)).toEqual(atItsEnd!.dates);
    expect(atItsEnd!.dates).toEqual(MONTH_ENDS.slice(0, atItsEnd!.dates.length));
    expect((atItsEnd!.dates.at(-1) ?? '') <= atItsEnd!.today).toBe(true);

    const issued = await years.issued();
    expectNumberedWithoutGap(issued);
    expect(await years.told()).toEqual(issued.map((one) => [one.id, one.retainerId, one.date, one.number]));
    const runs = await years.database.query<{ retainerId: number; date: string }>(
      'select schedule_id::int as "retainerId", run_date::text as date from scheduled_runs order by 1, 2',
    );
    expect(runs).toEqual(
      issued
        .map(({ retainerId, date }) => ({ retainerId, date }))
        .sort((one, other) => one.retainerId - other.retainerId || one.date.localeCompare(other.date)),
    );
    expect(years.workers.deaths.killed).toBeGreaterThan(1);
    expect(years.workers.deaths.atWork).toBeGreaterThan(0);
    process.stdout.write(
      `${store.kind}: ${JSON.stringify(years.workers.deaths)}, ${issued.length} documents\n`,
    );
  }, 240_000);
});

/** A worker's job lock lasts for 15 seconds, its database locks for 30. */
const SLEEP_LIMIT_MS = 50_000;

describe.each([POSTGRESQL])('with the $kind queue, a worker that is suspended during its job', (store) => {
  let years: Years;

  beforeAll(async () => {
    years = new Years(store, await createTestDatabase(), new Rng('sleep'));
    await years.open();
  });
  afterAll(() => years?.close());

  it('loses the job to another, and does nothing twice when it resumes', async () => {
    const ours = await years.company('Ours');
    const awake = await years.workers.alone();
    const ids = [await years.create(ours, { interval: 'WEEKLY', nextRunDate: LATE })];
    for (let n = 0; n < 3; n++) ids.push(await years.create(ours, { interval: 'WEEKLY', nextRunDate: LATE }));
    await until('it to be at work', async () => (await years.issued()).length > 20, 15_000);
    awake.pause();
    years.workers.others(awake).forEach((worker) => worker.resume());
    const [asleepAt, began] = [(await years.issued()).length, performance.now()];
    const done = async () => {
      // Runs that were postponed because the paused worker had locked them become due.
      years.clock.set(new Date(years.clock.now().getTime() + 1_000));
      return (await years.openRuns()) === 0;
    };
    await until('the others to do the rest', done, SLEEP_LIMIT_MS);
    // The paused worker kept its job for a while, so it was paused in the middle of it.
    expect(performance.now() - began).toBeGreaterThan(5_000);
    const before = await years.issued();
    expect(before.length).toBeGreaterThan(asleepAt);
    awake.resume();
    // Time for its claimed work and one or two batches of its own, in which it could do damage.
    await sleep(3_000);
    expect(awake.isRunning).toBe(true);
    expect(await years.issued()).toEqual(before);
    const weeks: string[] = [];
    for (let day = Date.parse(LATE); day <= Date.parse('2025-01-20'); day += 7 * DAY_MS) {
      weeks.push(new Date(day).toISOString().slice(0, 10));
    }
    for (const id of ids) expect(await years.datesOf(id)).toEqual(weeks);
    expect(before.map(({ number }) => number)).toEqual(before.map((_, at) => at + 1));
    // The resumed worker continues as before.
    years.workers.others(awake).forEach((worker) => worker.pause());
    const last = await years.create(ours, { nextRunDate: '2025-01-20' });
    await until('a document of its own', async () => (await years.datesOf(last)).length === 1, 15_000);
  });
});
