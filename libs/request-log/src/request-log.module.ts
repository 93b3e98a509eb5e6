import { Module } from '@nestjs/common';
import { PurgeRequestLog } from './purge-request-log';
import { RequestLog } from './request-log';
import { RequestLogReader } from './adapters/request-log.reader';

@Module({
  providers: [PurgeRequestLog, RequestLog, RequestLogReader],
  exports: [PurgeRequestLog, RequestLog, RequestLogReader],
})
export class RequestLogModule {}
