import { Config } from '@counterfoil/config';
import { Global, Module } from '@nestjs/common';
import { BullJobQueue } from './bull-job-queue';
import { JobQueue } from './job-queue';
import { JobWorkers } from './job-workers';
import { openQueueStore, QueueStore } from './queue-store';

@Global()
@Module({
  providers: [
    { provide: QueueStore, inject: [Config], useFactory: openQueueStore },
    { provide: JobQueue, useClass: BullJobQueue },
    JobWorkers,
  ],
  exports: [JobQueue, JobWorkers],
})
export class QueueModule {}
