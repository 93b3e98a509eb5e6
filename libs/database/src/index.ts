export type { QueryRunner } from 'typeorm';
export { advisoryLock } from './advisory-locks';
export { fine, generatedId, insertedId, money, percent, wholeNumber } from './columns';
export { SteadyPool, withMigrationClient } from './client';
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
export { buildIndex, inOrder, Migration, type MigrationClass } from './migration';
export { DATABASE_MIGRATIONS } from './migrations';
export { EPOCH } from './postgres-epochs';
export { postgresTypes } from './postgres-types';
export { type PreparedStatement, runPrepared } from './prepared';
export { purgeInBatches } from './purge-in-batches';
export { Presence } from './presence';
export { assertDatabaseReachable, assertDatabaseReady } from './reachable';
export { grantToRuntimeRole } from './runtime-role';
export { Sql, type Statements, within } from './sql';
export { type RowOf, SqlStatement, statement, type StatementOptions } from './statement';
export { managerOf } from './typeorm-transactions';
