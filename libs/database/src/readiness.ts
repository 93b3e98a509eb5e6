import type { Config } from '@counterfoil/config';
import type pg from 'pg';
import { withClient, withMigrationClient } from './resilient-client';
import type { MigrationClass } from './migration';

/** PostgreSQL's error code for a missing table. */
const UNDEFINED_TABLE = '42P01';

/**
 * Checks that the database answers, before migrating it.
 *
 * @throws Error with one line for the operator, without the password
 */
export function assertDatabaseReachable(config: Config): Promise<void> {
  return withMigrationClient(config, () => Promise.resolve());
}

/**
 * Checks that the database answers and has all migrations of this code.
 *
 * @throws Error with one line for the operator
 */
export function assertDatabaseReady(
  { databaseUrl }: Config,
  migrations: readonly MigrationClass[],
): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    const applied = await appliedMigrations(client);
    const missing = migrations.filter(({ name }) => !applied.has(name));
    if (missing.length > 0) {
      throw new Error(`the database lacks ${missing.length} migration(s): run npm run -s admin -- migrate`);
    }
  });
}

async function appliedMigrations(client: pg.Client): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return new Set();
    throw error;
  }
}
