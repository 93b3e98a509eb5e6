export { REQUEST_LOG_COMPANY_DATA } from './company-data.sql';
export { type AnsweredRequest, type LoggedRequest, REQUEST_FILTERS } from './logged-request';
export { REQUEST_LOG_MIGRATIONS } from './migrations';
export { PurgeRequestLog } from './purge-request-log';
export { RequestLog } from './request-log';
export { RequestLogModule } from './request-log.module';
export { RequestLogReader } from './adapters/request-log.reader';
