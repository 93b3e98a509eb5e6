export type { QueryRunner } from 'typeorm';
export { advisoryLock } from './advisory-locks';
export { backlogOf } from './backlog';
export {
  generatedId,
  money,
  percent,
  quantityColumn,
  readableFields,
  selectColumns,
  wholeNumber,
} from './columns';
export { directUrl, ResilientPool, withMigrationClient } from './resilient-client';
export { NO_LIMIT } from './data-source';
export { databaseIdentity } from './database-identity';
export { DatabaseModule } from './database.module';
export {
  isDatabaseUnavailable,
  isForeignKeyViolation,
  isLockTimeout,
  isStatementTimeout,
  isUniqueViolation,
} from './database-errors';
export { inBatches } from './in-batches';
export { milliseconds } from './intervals';
export { migrateDatabase } from './migrate';
export { insertRow, insertWithId } from './insert-row';
export { buildIndex, inOrder, Migration, type MigrationClass } from './migration';
export { DATABASE_MIGRATIONS } from './migrations';
export { EPOCH } from './epochs.sql';
export { clientOf, storeSessionSettings } from './pooler';
export { postgresTypes } from './postgres-types';
export { purgeInBatches } from './purge-in-batches';
export { Presence } from './presence';
export { assertDatabaseReachable, assertDatabaseReady } from './readiness';
export { grantToRuntimeRole } from './runtime-role';
export { defer, SessionSql, Sql, within } from './sql';
export { type RowOf, SqlStatement, statement, type StatementOptions } from './sql-statement';
export type { Statements } from './statements';
export { managerOf } from './typeorm-transactions';
