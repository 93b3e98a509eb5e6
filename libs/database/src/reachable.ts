import type { Config } from '@counterfoil/config';
import type pg from 'pg';
import { withClient, withMigrationClient } from './client';
import type { MigrationClass } from './migration';

/** PostgreSQL's word for a table that is not there. */
const UNDEFINED_TABLE = '42P01';

/**
 * Makes sure that the database answers, before it is migrated.
 *
 * @throws Error with one line for an operator, without the password
 */
export function assertDatabaseReachable(config: Config): Promise<void> {
  return withMigrationClient(config, () => Promise.resolve());
}

/**
 * Makes sure that the database answers and has every migration that this code needs.
 *
 * @throws Error with one line for an operator
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
