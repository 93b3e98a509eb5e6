import { assertNoTransaction, RequestCoalescer, currentRequest, inTime } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import { currentTrace } from '@counterfoil/tracing';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { JobQueue, type NewJob } from './job-queue';
import type { JobName } from './jobs';
import type { QueueOf, QueueStore } from './queue-store';

/** If the store does not answer, the next batch starts after this time. */
const PATIENCE_MS = 1_000;

/**
 * Requests wait no longer for the store. Their jobs are only signals, and the sweep finds the work without
 * them.
 */
const REQUEST_PATIENCE_MS = 250;

type AnyJob = NewJob<JobName>;

/**
 * Calls that arrive while jobs are being added share the next statement, because the store commits each
 * statement separately.
 */
export class BullJobQueue extends JobQueue implements OnModuleInit, OnApplicationShutdown {
  private readonly queues: ReadonlyMap<JobName, QueueOf>;
  private readonly batches: ReadonlyMap<JobName, RequestCoalescer<readonly AnyJob[], void>>;

  constructor(
    private readonly store: QueueStore,
    protected override readonly log: Log,
    names: readonly JobName[],
  ) {
    super();
    this.queues = new Map(names.map((name) => [name, store.queue(name)]));
    for (const [name, queue] of this.queues) {
      queue.on('error', (error: Error) =>
        log.warn({ queue: name, error }, 'the queue store reports an error'),
      );
    }
    this.batches = new Map(
      names.map((name) => [name, new RequestCoalescer((calls) => this.addAll(name, calls), PATIENCE_MS)]),
    );
  }

  /** Fails the start if a queue cannot be prepared, because it would not recover later. */
  async onModuleInit(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.waitUntilReady()));
  }

  override async add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void> {
    assertNoTransaction(`adding a ${name} job`);
    const trace = currentTrace();
    const traced = trace === null ? jobs : jobs.map((job) => ({ ...job, trace }));
    const added = jobs.length > 0 && this.batches.get(name)?.submit(traced);
    if (added) await (currentRequest() ? inTime(added, REQUEST_PATIENCE_MS) : added);
  }

  override async withdraw(name: JobName, id: string): Promise<void> {
    try {
      const removed = this.queues.get(name)?.remove(id);
      if (removed) await inTime(removed, PATIENCE_MS);
    } catch (error) {
      this.log.warn({ error, queue: name, jobId: id }, 'a job for which nobody waits could not be removed');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    await this.store.close();
  }

  private async addAll(name: JobName, calls: readonly (readonly AnyJob[])[]): Promise<void[]> {
    const jobs = new Map<string, AnyJob>();
    for (const job of calls.flat()) if (!jobs.has(job.id)) jobs.set(job.id, job);
    await this.queues.get(name)?.addBulk(
      [...jobs.values()].map(({ id, payload, trace, delayMs = 0 }) => ({
        name,
        data: trace === undefined ? payload : { ...payload, trace },
        opts: { jobId: id, delay: delayMs },
      })),
    );
    return calls.map(() => undefined);
  }
}
