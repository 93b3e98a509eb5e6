import { RequestLog1795699300000 } from './1795699300000-request-log';

export const REQUEST_LOG_MIGRATIONS = [RequestLog1795699300000];
