export { JobQueue, type JobHandlers, type NewJob } from './job-queue';
export { JobWorkers } from './job-workers';
export { jobNames, type JobName, type JobPayloads, type Jobs, type JobSettings } from './jobs';
export { QueueModule } from './queue.module';
export { migrateQueueStore } from './postgres-store';
export { assertQueueStoreReachable } from './redis-store';
