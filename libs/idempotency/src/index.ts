export { Idempotency } from './idempotency';
export { IdempotencyModule } from './idempotency.module';
export { type IdempotentCall, IdempotencyKeyTaken } from './idempotent-call';
export { insertResponseSql } from './insert-response-sql';
export { locksOf } from './key-locks';
export { IDEMPOTENCY_MIGRATIONS } from './migrations';
export { PurgeIdempotencyKeys } from './purge-idempotency-keys';
