export { JobQueue, type JobHandlers, type NewJob } from './job-queue';
export { JobWorkers } from './job-workers';
export { type JobName, type JobPayloads } from './jobs';
export { QueueModule } from './queue.module';
export { assertQueueStoreReachable, migrateQueueStore } from './queue-store';
