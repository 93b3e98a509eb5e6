export { fine, generatedId, insertedId, money, percent, wholeNumber } from './columns';
export { SteadyClient, withClient } from './client';
export { DatabaseModule } from './database.module';
export { isDatabaseUnavailable, isUniqueViolation } from './database-errors';
export { migrateDatabase } from './migrate';
export { assertDatabaseReachable, assertDatabaseReady } from './reachable';
export { Sql } from './sql';
export { managerOf } from './typeorm-transactions';
