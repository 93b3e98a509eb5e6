export { DATA_HEADERS } from './data-headers';
export { createLog, Log, type LogFields } from './log';
export { startManagementServer } from './management-server';
export { NestLog } from './nest-log';
export { ObservabilityModule } from './observability.module';
export { collectProcessMetrics } from './process-metrics';
