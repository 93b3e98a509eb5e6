export { Idempotency } from './idempotency';
export { IdempotencyModule } from './idempotency.module';
export { type IdempotentCall, IdempotencyKeyTaken } from './idempotent-call';
export { insertResponseSql } from './stored-responses.sql';
export { type KeyLocks, locksOf } from './key-locks';
export { IDEMPOTENCY_MIGRATIONS } from './migrations';
export { PurgeIdempotencyKeys } from './purge-idempotency-keys';
