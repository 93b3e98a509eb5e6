import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@counterfoil/config';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { advisoryLock } from './advisory-locks';
import { dataSourceOptions, NO_LIMIT } from './data-source';
import { isLockTimeout, isRetryable } from './database-errors';
import { inOrder, type MigrationClass } from './migration';
import { storeSessionSettings } from './pooler';
import { directUrl } from './resilient-client';
import { grantToRuntimeRole } from './runtime-role';

const LOCK_PAUSE_MS = 100;
/**
 * A schema change waits for running statements on the table, and blocks all later ones meanwhile. After this
 * time it gives up, lets them through, and is retried.
 */
const TABLE_LOCK_MS = 500;
const TABLE_LOCK_PAUSE_MS = 2_000;

/**
 * A migration may rewrite every row of a table, so the audit log has one entry for it, of the trigger on the ledger.
 * A migration that changes values of companies records them with `set local counterfoil.audit = 'on'`.
 */
const UNAUDITED = '-c counterfoil.audit=off -c counterfoil.actor=command:migrate';

const LEDGER = 'migrations';
const TRY_LOCK = `select ${advisoryLock('pg_try_advisory_lock', 'migration')} as taken`;

/**
 * Migrates the database to this version of the code. Many processes may call it concurrently.
 *
 * @param migrations all migrations of the service, in any order
 */
export async function migrateDatabase(config: Config, migrations: readonly MigrationClass[]): Promise<void> {
  const options = dataSourceOptions(config, 'counterfoil-migrate', NO_LIMIT);
  const url = config.migrationDatabaseUrl ?? directUrl(config);
  // Migrations have no statement timeout.
  const connection = options.extra as { readonly options: string };
  const extra = {
    ...connection,
    options: `${connection.options} ${UNAUDITED}`,
    lock_timeout: TABLE_LOCK_MS,
  };
  const schema = { migrations: inOrder(migrations), migrationsTableName: LEDGER };
  const dataSource = await new DataSource({
    ...options,
    ...schema,
    url,
    extra,
  } as DataSourceOptions).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await takeLock(lock);
    await runMigrations(dataSource);
  } finally {
    await lock.release();
    await dataSource.destroy();
  }
  await grantToRuntimeRole(config, { schema: 'public', ledger: LEDGER });
  await storeSessionSettings(config);
}

async function runMigrations(dataSource: DataSource): Promise<void> {
  for (;;) {
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      await sleep(TABLE_LOCK_PAUSE_MS);
    }
  }
}

/**
 * Polls instead of waiting in the database: `create index concurrently` waits for every statement that began
 * before it, which would include a statement that waits for this lock.
 */
async function takeLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query(TRY_LOCK)) as [{ taken: boolean }];
    if (row.taken) return;
    await sleep(LOCK_PAUSE_MS);
  }
}
