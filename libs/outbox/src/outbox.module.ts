import { Global, Module } from '@nestjs/common';
import { EventLog } from './event-log';
import { Outbox } from './outbox';
import { PostgresEventLog } from './postgres-event-log';
import { PostgresOutbox } from './postgres-outbox';

@Global()
@Module({
  providers: [
    { provide: Outbox, useClass: PostgresOutbox },
    { provide: EventLog, useClass: PostgresEventLog },
  ],
  exports: [Outbox, EventLog],
})
export class OutboxModule {}
