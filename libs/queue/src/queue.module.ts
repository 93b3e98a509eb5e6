import { Config } from '@counterfoil/config';
import { Log } from '@counterfoil/observability';
import { type DynamicModule, Module } from '@nestjs/common';
import { BullJobQueue } from './bull-job-queue';
import { JobQueue } from './job-queue';
import { JobWorkers } from './job-workers';
import { jobNames, type Jobs } from './jobs';
import { openQueueStore } from './open-queue-store';
import { QueueStore } from './queue-store';

@Module({})
export class QueueModule {
  /** @param jobs all jobs of the service */
  static register(jobs: Jobs): DynamicModule {
    const names = jobNames(jobs);
    return {
      module: QueueModule,
      global: true,
      providers: [
        { provide: QueueStore, inject: [Config], useFactory: openQueueStore },
        {
          provide: JobQueue,
          inject: [QueueStore, Log],
          useFactory: (store: QueueStore, log: Log) => new BullJobQueue(store, log, names),
        },
        {
          provide: JobWorkers,
          inject: [QueueStore, Log],
          useFactory: (store: QueueStore, log: Log) => new JobWorkers(store, log, jobs),
        },
      ],
      exports: [JobQueue, JobWorkers],
    };
  }
}
