import { assertNoTransaction } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { JobQueue, type NewJob } from './job-queue';
import { JOB_NAMES, type JobName } from './jobs';
import { type QueueOf, QueueStore } from './queue-store';

@Injectable()
export class BullJobQueue extends JobQueue implements OnModuleInit, OnApplicationShutdown {
  private readonly queues: ReadonlyMap<JobName, QueueOf>;

  constructor(
    private readonly store: QueueStore,
    log: Log,
  ) {
    super();
    this.queues = new Map(JOB_NAMES.map((name) => [name, store.queue(name)]));
    for (const [name, queue] of this.queues) {
      queue.on('error', (error: Error) => log.warn({ queue: name, error }, 'the queue store is in trouble'));
    }
  }

  /** A queue that could not be made ready at the start would never be: better not to start. */
  async onModuleInit(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.waitUntilReady()));
  }

  override async add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void> {
    assertNoTransaction(`adding a ${name} job`);
    const queue = this.queues.get(name);
    if (!queue || jobs.length === 0) return;
    await queue.addBulk(
      jobs.map(({ id, payload, delayMs = 0 }) => ({
        name,
        data: payload,
        opts: { jobId: id, delay: delayMs },
      })),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    await this.store.close();
  }
}
