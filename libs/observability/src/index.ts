export { DATA_HEADERS } from './data-headers';
export { createLog, Log, type LogFields } from './log';
export { startMetricsServer } from './metrics-server';
export { NestLog } from './nest-log';
export { ObservabilityModule } from './observability.module';
