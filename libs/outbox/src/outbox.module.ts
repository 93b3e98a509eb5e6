import { Global, Module } from '@nestjs/common';
import { Outbox } from './outbox';
import { PostgresOutbox } from './postgres-outbox';

@Global()
@Module({
  providers: [{ provide: Outbox, useClass: PostgresOutbox }],
  exports: [Outbox],
})
export class OutboxModule {}
