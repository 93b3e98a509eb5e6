export { fine, generatedId, insertedId, money, percent, wholeNumber } from './columns';
export { SteadyClient, withClient } from './client';
export { DatabaseModule } from './database.module';
export { isDatabaseUnavailable, isLockTimeout, isUniqueViolation } from './database-errors';
export { inBatches } from './in-batches';
export { BEGINNING_MAX } from './known-lists';
export { containing, GRAM_LENGTH } from './like';
export { migrateDatabase } from './migrate';
export { type PreparedStatement, runPrepared } from './prepared';
export { assertDatabaseReachable, assertDatabaseReady } from './reachable';
export {
  type FindRows,
  type FoundRows,
  type RememberedList,
  RememberedLists,
  type Statement,
} from './remembered-lists';
export { Sql, type Statements } from './sql';
export { managerOf } from './typeorm-transactions';
export { walkTo } from './walk';
