export { createLog, Log, type LogFields } from './log';
export { httpRequestSeconds, jobsTotal, receiptReadingSeconds, webhookAttemptSeconds } from './metrics';
export { startMetricsServer } from './metrics-server';
export { NestLog } from './nest-log';
export { ObservabilityModule } from './observability.module';
