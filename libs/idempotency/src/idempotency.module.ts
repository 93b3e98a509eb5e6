import { Module } from '@nestjs/common';
import { Idempotency } from './idempotency';
import { PurgeIdempotencyKeys } from './purge-idempotency-keys';
import { StoredResponses } from './stored-responses';

@Module({
  providers: [StoredResponses, Idempotency, PurgeIdempotencyKeys],
  exports: [Idempotency, PurgeIdempotencyKeys],
})
export class IdempotencyModule {}
