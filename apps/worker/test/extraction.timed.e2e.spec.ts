import { execFileSync } from 'node:child_process';
import {
  freePorts,
  queueStores,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { loseQueue } from './lost-queue';
import { extract, FOUND, fresh, readersOf, readingsBy, requestsFor } from './samples';

/** A caller's time limit. The reader gets nine tenths of it. */
const TIMEOUT_MS = 5_000;
/** The texts of a company whose document ended a reader are read at a low priority, slowly on a busy machine. */
const OUTCOME_WITHIN_MS = 90_000;
/** `UNAVAILABLE` and `EXTRACTION_TIMEOUT`. */
const TRY_AGAIN = [503, 504];

describe.each(queueStores())('with the $kind queue, the worker reads receipts', (store) => {
  let service: ServiceProcesses;
  let metricsPort: number;

  beforeAll(async () => {
    [metricsPort] = (await freePorts(1)) as [number];
    service = await startProcesses(store, {
      EXTRACTION_TIMEOUT: `${TIMEOUT_MS}ms`,
      SCHEDULER_INTERVAL: '1s',
      WORKER_METRICS_PORT: String(metricsPort),
    });
  });
  afterAll(() => service?.stop());

  /** Repeats the call after an answer that asks for it, as while a reader starts on a busy machine. */
  const outcomeOf = (fileId: number) =>
    until(
      'the outcome',
      async () => {
        const answer = await extract(service, fileId);
        return !TRY_AGAIN.includes(answer.status) && answer;
      },
      OUTCOME_WITHIN_MS,
    );

  it('once for concurrent requests of a file', async () => {
    const fileId = await service.upload(fresh());
    const before = await readingsBy(metricsPort);
    const answers = await Promise.all(Array.from({ length: 20 }, () => extract(service, fileId)));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body.expenseData).toMatchObject(FOUND);
    }
    expect(await readingsBy(metricsPort)).toBe(before + 1);
  });

  it('and returns a cached reading at once, also for another file with the same bytes, and without a worker', async () => {
    const receipt = fresh();
    const first = await extract(service, await service.upload(receipt));
    await service.worker.kill('SIGKILL');
    const again = await extract(service, await service.upload(receipt));
    expect(again).toMatchObject({ status: 200, body: first.body });
    await service.replaceWorker();
  });

  it('and keeps the outcome after all callers have timed out', async () => {
    await service.worker.kill('SIGKILL');
    const fileId = await service.upload(fresh());
    const asked = performance.now();
    const late = await extract(service, fileId);
    expect(late).toMatchObject({ status: 504, body: { code: 'EXTRACTION_TIMEOUT' } });
    expect(late.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(performance.now() - asked).toBeLessThan(TIMEOUT_MS * 1.5);
    await service.replaceWorker();
    await until('the reading', async () => (await requestsFor(service, fileId))[0]?.finished);
    expect(await extract(service, fileId)).toMatchObject({ status: 200, body: { expenseData: FOUND } });
  });

  it('and another worker reads what a killed worker had started', async () => {
    await extract(service, await service.upload(fresh()));
    for (const pid of readersOf(service.worker.pid)) process.kill(pid, 'SIGSTOP');
    const fileId = await service.upload(fresh());
    const waiting = extract(service, fileId);
    await until('the claim', async () => (await requestsFor(service, fileId))[0]?.attempts === 1);
    const stopped = readersOf(service.worker.pid);
    await service.worker.kill('SIGKILL');
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await service.replaceWorker();
    expect((await waiting).status).toBe(504);
    await until('the reading', async () => (await requestsFor(service, fileId))[0]?.finished, 30_000);
    expect(await extract(service, fileId)).toMatchObject({ status: 200, body: { expenseData: FOUND } });
    // The reader of the killed worker ends by itself.
    const isThere = (pid: number) => execFileSync('ps', ['-o', 'pid=', '-p', String(pid)]).toString() !== '';
    await until('the end of its reader', () =>
      stopped.every((pid) => {
        try {
          return !isThere(pid);
        } catch {
          return true;
        }
      }),
    );
  }, 60_000);

  it('and replaces a reader that hangs, in time for the caller', async () => {
    await extract(service, await service.upload(fresh()));
    const hung = readersOf(service.worker.pid);
    expect(hung.length).toBeGreaterThan(0);
    for (const pid of hung) process.kill(pid, 'SIGSTOP');
    const fileId = await service.upload(fresh());
    expect(await extract(service, fileId)).toMatchObject({ status: 200, body: { expenseData: FOUND } });
    expect((await requestsFor(service, fileId))[0]?.attempts).toBe(2);
    expect(service.worker.isRunning).toBe(true);
    expect(readersOf(service.worker.pid).filter((pid) => hung.includes(pid))).toEqual([]);
  });

  it('and continues when a reader crashes', async () => {
    await extract(service, await service.upload(fresh()));
    for (const pid of readersOf(service.worker.pid)) process.kill(pid, 'SIGSTOP');
    const fileId = await service.upload(fresh());
    const waiting = outcomeOf(fileId);
    await until('the claim', async () => (await requestsFor(service, fileId))[0]?.attempts === 1);
    for (const pid of readersOf(service.worker.pid)) process.kill(pid, 'SIGKILL');
    expect(await waiting).toMatchObject({ status: 422, body: { code: 'EXTRACTION_FAILED' } });
    expect(service.worker.isRunning).toBe(true);
    expect(await outcomeOf(await service.upload(fresh()))).toMatchObject({ status: 200 });
  }, 150_000);

  it('and answers after the queue has lost everything', async () => {
    await service.worker.kill('SIGKILL');
    const fileId = await service.upload(fresh());
    const waiting = extract(service, fileId);
    await until('the request', async () => {
      const [row] = await service.database.query<{ n: number }>(
        'select count(*)::int as n from reading_requests where outcome is null',
      );
      return row!.n === 1;
    });
    await loseQueue(store, service);
    await service.replaceWorker();
    // Another call would put the file into the queue again.
    await until(
      'the reading',
      async () => (await requestsFor(service, fileId))[0]?.finished,
      OUTCOME_WITHIN_MS,
    );
    await waiting;
    expect(await extract(service, fileId)).toMatchObject({ status: 200, body: { expenseData: FOUND } });
  }, 150_000);
});
