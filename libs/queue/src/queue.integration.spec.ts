import { loadConfig } from '@counterfoil/config';
import { Transactions } from '@counterfoil/kernel';
import { createLog } from '@counterfoil/observability';
import {
  createTestDatabase,
  freePorts,
  queueStores,
  startTestContext,
  type TestDatabase,
  testConfig,
  until,
} from '@counterfoil/test-harness';
import { BullJobQueue } from './bull-job-queue';
import { JobQueue } from './job-queue';
import { JobWorkers } from './job-workers';
import { assertQueueStoreReachable, openQueueStore, type QueueStore } from './queue-store';

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
    queue = new BullJobQueue(store, log);
    await queue.onModuleInit();
    workers = new JobWorkers(store, log);
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

  it('runs a delayed job not early and not much later', async () => {
    const addedAt = Date.now();
    await ask(2, 'later', 700);
    const [run] = await until('the job', () => runsOf(2).length > 0 && runsOf(2));
    expect((run?.at ?? 0) - addedAt).toBeGreaterThanOrEqual(699);
    expect((run?.at ?? 0) - addedAt).toBeLessThan(1500);
  });

  it('does not add a job whose id is still in the queue, and takes the id again afterwards', async () => {
    await ask(3, 'same', 300);
    await ask(3, 'same', 300);
    await until('the job', () => runsOf(3).length === 1);
    await until('the id to be free again', async () => {
      await ask(3, 'same');
      return runsOf(3).length === 2;
    });
  });

  it('frees the id of a job that failed, and goes on with the others', async () => {
    handle = (id) => (id === 4 ? Promise.reject(new Error('broken')) : Promise.resolve());
    await ask(4, 'failing');
    await until('the job', () => runsOf(4).length === 1);
    await ask(5);
    await until('the next job', () => runsOf(5).length === 1);
    handle = () => Promise.resolve();
    await until('the id to be free again', async () => {
      await ask(4, 'failing');
      // A third may have run by the time that the second is seen.
      return runsOf(4).length >= 2;
    });
  });

  it('waits for a job that runs when it is closed', async () => {
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

describe('the queue', () => {
  it('takes no job inside a transaction: it may be rolled back, or run again', async () => {
    const context = await startTestContext([]);
    const adding = context
      .get(Transactions)
      .run(() => context.get(JobQueue).add('outbox.relay', [{ id: '1', payload: {} }]));
    await expect(adding).rejects.toThrow('adding a outbox.relay job inside a database transaction');
    await context.close();
  });

  it('says in one line that Redis is not there, without the password, and soon', async () => {
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
