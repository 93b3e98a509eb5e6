import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '@counterfoil/config';
import { inRequestScope, Transactions } from '@counterfoil/kernel';
import { createLog } from '@counterfoil/observability';
import {
  JOBS,
  createTestDatabase,
  freePorts,
  hasOwnRedis,
  type OwnRedis,
  startOwnRedis,
  queueStores,
  startTcpProxy,
  startTestContext,
  type TcpProxy,
  type TestDatabase,
  testConfig,
  until,
} from '@counterfoil/test-harness';
import { BullJobQueue } from './bull-job-queue';
import { type JobHandlers, JobQueue } from './job-queue';
import { JobWorkers } from './job-workers';
import { jobNames } from './jobs';
import { openQueueStore } from './open-queue-store';
import type { QueueStore } from './queue-store';
import { assertQueueStoreReachable } from './redis-store';

const log = createLog({ logLevel: 'silent', logFormat: 'json' }, 'test');

describe.each(queueStores())('the queue on $kind', ({ redisUrl }) => {
  let database: TestDatabase;
  let store: QueueStore;
  let queue: BullJobQueue;
  let workers: JobWorkers;
  const ran: { documentId: number; at: number }[] = [];
  let handle: (documentId: number) => Promise<void> = () => Promise.resolve();

  beforeAll(async () => {
    database = await createTestDatabase();
    const config = testConfig(database.url, redisUrl === null ? {} : { REDIS_URL: redisUrl });
    store = await openQueueStore(config);
    queue = new BullJobQueue(store, log, jobNames(JOBS));
    await queue.onModuleInit();
    workers = new JobWorkers(store, log, JOBS);
    workers.start({
      'outbox.relay': () => Promise.resolve(),
      'schedule.run': () => Promise.resolve(),
      'payment.settle': () => Promise.resolve(),
      'webhook.lane': () => Promise.resolve(),
      'webhook.replay': () => Promise.resolve(),
      'approval.request': async ({ documentId }) => {
        ran.push({ documentId, at: Date.now() });
        await handle(documentId);
      },
      'document.render': () => Promise.resolve(),
      'statement.render': () => Promise.resolve(),
      'preview.render': () => Promise.resolve(),
      'mail.send': () => Promise.resolve(),
      'reminder.queue': () => Promise.resolve(),
      'receipt.read': () => Promise.resolve(),
    });
  });
  afterAll(async () => {
    await workers.close();
    await queue.onApplicationShutdown();
    await database.drop();
  });

  const ask = (documentId: number, id = `job-${documentId}`, delayMs = 0) =>
    queue.add('approval.request', [{ id, payload: { documentId }, delayMs }]);
  const runsOf = (id: number) => ran.filter(({ documentId }) => documentId === id);

  it('runs a job soon after it was added', async () => {
    await ask(1);
    await until('the job', () => runsOf(1).length === 1);
  });

  it('runs a delayed job neither early nor much later', async () => {
    const addedAt = Date.now();
    await ask(2, 'later', 700);
    const [run] = await until('the job', () => runsOf(2).length > 0 && runsOf(2));
    expect((run?.at ?? 0) - addedAt).toBeGreaterThanOrEqual(699);
    expect((run?.at ?? 0) - addedAt).toBeLessThan(5_000);
  });

  it('refuses an id that is still in the queue, and accepts it again afterwards', async () => {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    handle = (id) => (id === 3 ? held : Promise.resolve());
    await ask(3, 'same', 300);
    await ask(3, 'same', 300);
    await until('the job', () => runsOf(3).length > 0);
    await ask(3, 'same');
    // It is due after all others, so each of them that was accepted has begun before it.
    await ask(30, 'the last one', 300);
    await until('the last job', () => runsOf(30).length === 1);
    const begun = runsOf(3).length;
    end();
    expect(begun).toBe(1);
    await until('the id to be free again', async () => {
      await ask(3, 'same');
      // A third job may have run before the second is seen.
      return runsOf(3).length >= 2;
    });
  });

  it('runs no job that was withdrawn, and its id is free', async () => {
    await ask(40, 'withdrawn', 300);
    await queue.withdraw('approval.request', 'withdrawn');
    await queue.withdraw('approval.request', 'unknown');
    await ask(41, 'withdrawn', 300);
    await until('the other job', () => runsOf(41).length === 1);
    expect(runsOf(40)).toEqual([]);
  });

  it('lets a job that runs end although it is withdrawn', async () => {
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    handle = (id) => (id === 42 ? held : Promise.resolve());
    await ask(42, 'running');
    await until('the job', () => runsOf(42).length === 1);
    await queue.withdraw('approval.request', 'running');
    end();
    await until('its id to be free', async () => {
      await ask(43, 'running');
      return runsOf(43).length > 0;
    });
  });

  it('frees the id of a failed job and goes on with others', async () => {
    handle = (id) => (id === 4 ? Promise.reject(new Error('broken')) : Promise.resolve());
    await ask(4, 'failing');
    await until('the job', () => runsOf(4).length === 1);
    await ask(5);
    await until('the next job', () => runsOf(5).length === 1);
    handle = () => Promise.resolve();
    await until('the id to be free again', async () => {
      await ask(4, 'failing');
      // A third job may have run before the second is seen.
      return runsOf(4).length >= 2;
    });
  });

  it('waits for running jobs when it is closed', async () => {
    let finished = false;
    handle = () =>
      new Promise((resolve) => {
        setTimeout(() => {
          finished = true;
          resolve();
        }, 400);
      });
    await ask(6);
    await until('the job to begin', () => runsOf(6).length === 1);
    await workers.close();
    expect(finished).toBe(true);
  });
});

/** @param url of the database that is the store */
async function openQueue(url: string): Promise<BullJobQueue> {
  return new BullJobQueue(await openQueueStore(testConfig(url)), log, jobNames(JOBS));
}

describe('the queue', () => {
  it('refuses jobs inside a transaction, which may be rolled back or run again', async () => {
    const context = await startTestContext([]);
    const adding = context
      .get(Transactions)
      .run(() => context.get(JobQueue).add('outbox.relay', [{ id: '1', payload: {} }]));
    await expect(adding).rejects.toThrow('adding a outbox.relay job inside a database transaction');
    await context.close();
  });

  it('adds a few jobs to PostgreSQL without temporary tables, and reports jobs that it could not add', async () => {
    const database = await createTestDatabase();
    const { pathname, username } = new URL(database.url);
    await database.query(`revoke temporary on database ${pathname.slice(1)} from public, ${username}`);
    const queue = await openQueue(database.url);
    await queue.onModuleInit();
    const add = (...ids: string[]) =>
      queue.add(
        'approval.request',
        ids.map((id) => ({ id, payload: { documentId: 1 } })),
      );
    await add('job-1', 'job-2', 'job-1');
    await add('job-2', 'job-3');
    const added = await database.query<{ id: string }>('select id from bullmq.job order by id');
    expect(added.map(({ id }) => id)).toEqual(['job-1', 'job-2', 'job-3']);
    await database.query('alter table bullmq.job rename to jobs');
    await expect(add('job-4')).rejects.toThrow('relation "job" does not exist');
    await queue.onApplicationShutdown();
    await database.drop();
  });

  it('adds many jobs to PostgreSQL in an order in which two processes do not deadlock', async () => {
    const database = await createTestDatabase();
    const queues = [await openQueue(database.url), await openQueue(database.url)];
    const ids = Array.from({ length: 50 }, (_, nth) => `${String(nth).padStart(2, '0')}`);
    for (let round = 0; round < 20; round++)
      await Promise.all(
        queues.map((queue, nth) => {
          const jobs = ids.map((id) => ({ id: `${round}-${id}`, payload: { documentId: 1 } }));
          return queue.add('approval.request', nth === 0 ? jobs : jobs.reverse());
        }),
      );
    const [counted] = await database.query('select count(*)::int as jobs from bullmq.job');
    expect(counted).toEqual({ jobs: 1_000 });
    for (const queue of queues) await queue.onApplicationShutdown();
    await database.drop();
  });

  it('reports an unreachable Redis in one line, without the password, and soon', async () => {
    const [port] = await freePorts(1);
    const config = loadConfig({
      DATABASE_URL: 'postgres://localhost/x',
      SECRETS_KEY: 'k'.repeat(32),
      REDIS_URL: `redis://:hunter2@127.0.0.1:${port}`,
    });
    const error: unknown = await assertQueueStoreReachable(config).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: `Redis at 127.0.0.1:${port} (REDIS_URL) cannot be reached` });
  });
});

const SILENCE_MS = 8_000;
const BACK_WITHIN_MS = 10_000;
const AT_ONCE_MS = 1_000;
/** Far longer than work waits for a store. */
const GIVEN_UP_WITHIN_MS = 15_000;

const redisUrls = queueStores().flatMap(({ redisUrl }) => redisUrl ?? []);

/** A queue and its workers, connected to the store through a proxy. */
class WiredQueue {
  /** The work of each job. */
  work: (documentId: number) => Promise<void> = () => Promise.resolve();

  private constructor(
    readonly wire: TcpProxy,
    readonly ran: readonly number[],
    private readonly queue: BullJobQueue,
    private readonly direct: BullJobQueue,
    private readonly workers: JobWorkers,
    private readonly database: TestDatabase,
  ) {}

  /** @param redisUrl null for PostgreSQL */
  static async start(redisUrl: string | null): Promise<WiredQueue> {
    const database = await createTestDatabase();
    const wire = await startTcpProxy(redisUrl ?? database.url);
    const open = (url: string) =>
      openQueueStore(redisUrl === null ? testConfig(url) : testConfig(database.url, { REDIS_URL: url }));
    const store = await open(wire.url);
    const queue = new BullJobQueue(store, log, jobNames(JOBS));
    await queue.onModuleInit();
    const direct = new BullJobQueue(await open(redisUrl ?? database.url), log, jobNames(JOBS));
    await direct.onModuleInit();
    const workers = new JobWorkers(store, log, JOBS);
    const ran: number[] = [];
    const nothing = Object.fromEntries(jobNames(JOBS).map((name) => [name, () => Promise.resolve()]));
    const site = new WiredQueue(wire, ran, queue, direct, workers, database);
    const run = ({ documentId }: { documentId: number }) => {
      ran.push(documentId);
      return site.work(documentId);
    };
    workers.start({ ...nothing, 'approval.request': run } as unknown as JobHandlers);
    return site;
  }

  async close(): Promise<void> {
    await this.workers.close();
    await this.queue.onApplicationShutdown();
    await this.direct.onApplicationShutdown();
    await this.wire.close();
    await this.database.drop();
  }

  ask(documentId: number, { queue = this.queue, delayMs = 0 } = {}): Promise<void> {
    return queue.add('approval.request', [{ id: `job-${documentId}`, payload: { documentId }, delayMs }]);
  }

  /** Adds the job without the proxy. */
  askDirectly(documentId: number): Promise<void> {
    return this.ask(documentId, { queue: this.direct });
  }

  /** Makes delayed jobs due in the table of BullMQ. */
  async comeDueUnannounced(): Promise<void> {
    await this.database.query(`update bullmq.job set process_at_ms = 1 where state = 'delayed'`);
  }

  /** Adds the job until it has run, and fails after the timeout. */
  runsAgain(documentId: number): Promise<unknown> {
    return until(
      'a job again',
      async () => {
        await this.ask(documentId).catch(() => undefined);
        return this.ran.includes(documentId);
      },
      BACK_WITHIN_MS,
    );
  }
}

describe.each(queueStores())('a $kind store that was silent', ({ redisUrl }) => {
  let site: WiredQueue;

  beforeAll(async () => {
    site = await WiredQueue.start(redisUrl);
  });
  afterAll(() => site.close());

  const runsOf = (id: number) => site.ran.filter((documentId) => documentId === id).length;

  it('frees the ids of jobs whose claim or end got no response', async () => {
    let end: () => void = () => undefined;
    site.work = () => new Promise((resolve) => (end = resolve));
    await site.ask(1);
    await until('the job', () => runsOf(1) === 1);
    site.wire.silence();
    end();
    site.work = () => Promise.resolve();
    await sleep(SILENCE_MS);
    await site.askDirectly(2);
    await sleep(SILENCE_MS);
    site.wire.speak();
    await until(
      'both jobs',
      async () => {
        await site.ask(1).catch(() => undefined);
        return runsOf(1) > 1 && runsOf(2) > 0;
      },
      BACK_WITHIN_MS,
    );
  }, 60_000);
});

describe('a PostgreSQL that is unavailable while the workers start', () => {
  const START_MS = 2_000;
  /** Eight workers ask once a second, and each has a few kinds of statements. */
  const ERRORS_MAX = 100;

  it.each<
    [
      string,
      (database: TestDatabase, wire: TcpProxy) => Promise<unknown>,
      (database: TestDatabase, wire: TcpProxy) => Promise<unknown>,
    ]
  >([
    ['unreachable', (_, wire) => wire.cut(), (_, wire) => wire.mend()],
    [
      'refusing connections',
      (database) => database.query(`alter database ${nameOf(database)} connection limit 0`),
      (database) => database.query(`alter database ${nameOf(database)} connection limit -1`),
    ],
  ])('gets jobs run soon after: %s', async (_, begin, end) => {
    const database = await createTestDatabase();
    const wire = await startTcpProxy(database.url);
    const store = await openQueueStore(testConfig(wire.url));
    const ran: number[] = [];
    let errors = 0;
    const counting = {
      ...log,
      warn: () => void (errors += 1),
      error: () => undefined,
    } as unknown as typeof log;
    const workers = new JobWorkers(store, counting, JOBS);
    const queue = new BullJobQueue(store, log, jobNames(JOBS));
    try {
      await begin(database, wire);
      const nothing = Object.fromEntries(jobNames(JOBS).map((name) => [name, () => Promise.resolve()]));
      const run = ({ documentId }: { documentId: number }) => Promise.resolve(void ran.push(documentId));
      workers.start({ ...nothing, 'approval.request': run } as unknown as JobHandlers);
      await queue
        .add('approval.request', [{ id: 'job-1', payload: { documentId: 1 } }])
        .catch(() => undefined);
      await sleep(START_MS);
      expect(errors).toBeLessThan(ERRORS_MAX);
      await end(database, wire);
      await until(
        'a job',
        async () => {
          await queue
            .add('approval.request', [{ id: 'job-2', payload: { documentId: 2 } }])
            .catch(() => undefined);
          return ran.includes(2);
        },
        BACK_WITHIN_MS,
      );
    } finally {
      await workers.close();
      await queue.onApplicationShutdown();
      await wire.close();
      await database.drop();
    }
  });
});

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

describe('a PostgreSQL whose idle connections the network has dropped', () => {
  let site: WiredQueue;

  beforeAll(async () => {
    site = await WiredQueue.start(null);
  });
  afterAll(() => site.close());

  it('delivers new jobs to workers at once again', async () => {
    await site.runsAgain(1);
    site.wire.silence();
    await sleep(1_000);
    site.wire.speak(true);
    await sleep(BACK_WITHIN_MS);
    for (let id = 2; id < 7; id++) {
      await site.ask(id);
      await until('a job', () => site.ran.includes(id), AT_ONCE_MS);
    }
  }, 40_000);
});

describe('a job in PostgreSQL that no notification has announced', () => {
  let site: WiredQueue;

  beforeAll(async () => {
    site = await WiredQueue.start(null);
  });
  afterAll(() => site.close());

  it('runs soon, even if its worker waits for a job that is due in an hour', async () => {
    await site.ask(1, { delayMs: 3_600_000 });
    await sleep(1_000);
    await site.comeDueUnannounced();
    await until('the job', () => site.ran.includes(1), BACK_WITHIN_MS);
  }, 40_000);
});

for (const redisUrl of redisUrls) {
  describe('a Redis that goes silent', () => {
    let site: WiredQueue;

    beforeAll(async () => {
      site = await WiredQueue.start(redisUrl);
    });
    afterAll(() => site.close());

    it.each([
      ['goes on', 10, false],
      ['has forgotten its connections', 20, true],
    ])(
      'keeps no request waiting, and jobs run soon after it %s',
      async (_, first, forgets) => {
        await site.ask(first);
        await until('a job', () => site.ran.includes(first));
        site.wire.silence();
        const ended: string[] = [];
        const note = (what: string) => () => void ended.push(what);
        void site.ask(first + 1).then(note('other work'), note('other work'));
        const asRequest = inRequestScope({ share: 1, isAbandoned: () => false }, () => site.ask(first + 2));
        await asRequest.then(note('request'), note('request'));
        // The other work began to wait first, and waits for the store longer, but not until it answers again.
        expect(ended).toEqual(['request']);
        await until('the other work to be given up', () => ended.length === 2, GIVEN_UP_WITHIN_MS);
        await sleep(SILENCE_MS);
        site.wire.speak(forgets);
        await site.runsAgain(first + 3);
      },
      40_000,
    );
  });
}

if (hasOwnRedis()) {
  describe('a Redis that becomes a replica while its name moves to another server,', () => {
    let servers: readonly OwnRedis[];
    let site: WiredQueue;

    beforeAll(async () => {
      servers = await Promise.all([startOwnRedis(), startOwnRedis()]);
      site = await WiredQueue.start(servers[0]!.url);
    });
    afterAll(async () => {
      await site.close();
      await Promise.all(servers.map((server) => server.stop()));
    });

    it('is left for the new primary', async () => {
      const [before, after] = servers as [OwnRedis, OwnRedis];
      await site.ask(1);
      await until('a job', () => site.ran.includes(1));
      site.wire.leadTo(after.url);
      await before.follow(after);
      await site.runsAgain(2);
    }, 40_000);
  });
}
