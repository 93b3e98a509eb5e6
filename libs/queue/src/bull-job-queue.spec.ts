import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log, LogFields } from '@counterfoil/observability';
import { BullJobQueue } from './bull-job-queue';
import { type QueueOf, QueueStore, type WorkerOf } from './queue-store';

type Bulk = Parameters<QueueOf['addBulk']>[0];

/** Holds each call until the test completes it. */
class HeldStore extends QueueStore {
  readonly calls: { readonly jobs: Bulk; readonly end: (error?: Error) => void }[] = [];

  override queue(): QueueOf {
    return {
      addBulk: (jobs) =>
        new Promise((resolve, reject) => {
          this.calls.push({ jobs, end: (error) => (error ? reject(error) : resolve(undefined)) });
        }),
      remove: () => Promise.resolve(),
      on: () => undefined,
      waitUntilReady: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }

  override worker(): WorkerOf {
    throw new Error('not used here');
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

const relay = (id: string) => [{ id, payload: {} }];
const idsOf = ({ jobs }: { readonly jobs: Bulk }) => jobs.map(({ opts }) => opts.jobId);

describe('BullJobQueue', () => {
  let store: HeldStore;
  let queue: BullJobQueue;
  let warnings: LogFields[];

  beforeEach(() => {
    store = new HeldStore();
    warnings = [];
    const log = { warn: (fields: LogFields) => warnings.push(fields) };
    queue = new BullJobQueue(store, log as unknown as Log, ['outbox.relay']);
  });

  it('adds the jobs of concurrent calls with one statement, each id once', async () => {
    const calls = ['a', 'b', 'c', 'b'].map((id) => queue.add('outbox.relay', relay(id)));
    expect(store.calls.map(idsOf)).toEqual([['a']]);
    store.calls[0]!.end();
    await calls[0];
    await nextTurn();
    expect(store.calls.map(idsOf)).toEqual([['a'], ['b', 'c']]);
    store.calls[1]!.end();
    await Promise.all(calls);
  });

  it('fails each caller of a failed batch and goes on with the next', async () => {
    const first = queue.add('outbox.relay', relay('a'));
    const others = ['b', 'c'].map((id) => queue.add('outbox.relay', relay(id)));
    store.calls[0]!.end();
    await first;
    await nextTurn();
    store.calls[1]!.end(new Error('away'));
    for (const other of others) await expect(other).rejects.toThrow('away');
    await nextTurn();
    const next = queue.add('outbox.relay', relay('d'));
    store.calls[2]!.end();
    await next;
  });

  it('adds nothing for an empty list', async () => {
    await queue.add('outbox.relay', []);
    await queue.signal('outbox.relay', []);
    expect(store.calls).toEqual([]);
  });

  it('logs one warning with the job ids when a signal fails, and does not throw', async () => {
    const signalled = queue.signal('outbox.relay', [...relay('a'), ...relay('b')]);
    const error = new Error('away');
    store.calls[0]!.end(error);
    await expect(signalled).resolves.toBeUndefined();
    expect(warnings).toEqual([{ error, queue: 'outbox.relay', jobs: 2, firstJobId: 'a' }]);
    const next = queue.signal('outbox.relay', relay('c'));
    store.calls[1]!.end();
    await next;
    expect([store.calls.map(idsOf), warnings.length]).toEqual([[['a', 'b'], ['c']], 1]);
  });
});
