import { assertNoTransaction, Batches, currentRequest, inTime } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { JobQueue, type NewJob } from './job-queue';
import type { JobName } from './jobs';
import type { QueueStore } from './queue-store';
import { type QueueOf } from './queue-store';

/** After which the next batch is added though the store has not answered the one before. */
const PATIENCE_MS = 1_000;

/** A request waits no longer for the store. What it adds is only a signal, and found without it. */
const REQUEST_PATIENCE_MS = 250;

type AnyJob = NewJob<JobName>;

/** Calls that come while others are being added share the next statement: the store commits each by itself. */
export class BullJobQueue extends JobQueue implements OnModuleInit, OnApplicationShutdown {
  private readonly queues: ReadonlyMap<JobName, QueueOf>;
  private readonly batches: ReadonlyMap<JobName, Batches<readonly AnyJob[], void>>;

  constructor(
    private readonly store: QueueStore,
    protected override readonly log: Log,
    names: readonly JobName[],
  ) {
    super();
    this.queues = new Map(names.map((name) => [name, store.queue(name)]));
    for (const [name, queue] of this.queues) {
      queue.on('error', (error: Error) => log.warn({ queue: name, error }, 'the queue store is in trouble'));
    }
    this.batches = new Map(
      names.map((name) => [name, new Batches((calls) => this.addAll(name, calls), PATIENCE_MS)]),
    );
  }

  /** A queue that could not be made ready at the start would never be: better not to start. */
  async onModuleInit(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.waitUntilReady()));
  }

  override async add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void> {
    assertNoTransaction(`adding a ${name} job`);
    const added = jobs.length > 0 && this.batches.get(name)?.ask(jobs);
    if (added) await (currentRequest() ? inTime(added, REQUEST_PATIENCE_MS) : added);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    await this.store.close();
  }

  private async addAll(name: JobName, calls: readonly (readonly AnyJob[])[]): Promise<void[]> {
    const jobs = new Map<string, AnyJob>();
    for (const job of calls.flat()) if (!jobs.has(job.id)) jobs.set(job.id, job);
    await this.queues.get(name)?.addBulk(
      [...jobs.values()].map(({ id, payload, delayMs = 0 }) => ({
        name,
        data: payload,
        opts: { jobId: id, delay: delayMs },
      })),
    );
    return calls.map(() => undefined);
  }
}
