import { Module } from '@nestjs/common';
import { Idempotency } from './idempotency';
import { PurgeIdempotencyKeys } from './purge-idempotency-keys';

@Module({
  providers: [Idempotency, PurgeIdempotencyKeys],
  exports: [Idempotency, PurgeIdempotencyKeys],
})
export class IdempotencyModule {}
