export { IDEMPOTENCY_COMPANY_DATA } from './company-data.sql';
export { asKeyTaken, Idempotency, type IdempotentCall, IdempotencyKeyTaken } from './idempotency';
export { IdempotencyModule } from './idempotency.module';
export { insertResponseSql, type KeyLocks, locksOf } from './idempotency.sql';
export { IDEMPOTENCY_MIGRATIONS } from './migrations';
export { PurgeIdempotencyKeys } from './purge-idempotency-keys';
