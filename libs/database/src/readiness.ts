import type { Config } from '@counterfoil/config';
import type pg from 'pg';
import type { MigrationClass } from './migration';
import { PROTOCOL_VIOLATION } from './database-errors';
import { assertPooledSessionsLimited } from './pooler';
import { withDirectClient, withMigrationClient } from './resilient-client';

/** PostgreSQL's error code for a missing table. */
const UNDEFINED_TABLE = '42P01';
/** A setting that a session has only if it is that of the connection which asked for it. */
const OWN_SESSION = '-c counterfoil.session=own';

/**
 * Checks that the database answers, before migrating it.
 *
 * @throws Error with one line for the operator, without the password
 */
export function assertDatabaseReachable(config: Config): Promise<void> {
  return inOwnSession(withMigrationClient(config, assertOwnSession, OWN_SESSION));
}

/**
 * Checks that the database answers and has all migrations of this code, and that connections are used as they can be.
 *
 * @throws Error with one line for the operator
 */
export async function assertDatabaseReady(
  config: Config,
  migrations: readonly MigrationClass[],
): Promise<void> {
  const check = async (client: pg.Client) => {
    await assertOwnSession(client);
    await assertMigrated(client, migrations);
  };
  await inOwnSession(withDirectClient(config, check, OWN_SESSION));
  await assertPooledSessionsLimited(config);
}

/** Names the remedy if a pooler refuses the connection. */
async function inOwnSession<T>(checked: Promise<T>): Promise<T> {
  try {
    return await checked;
  } catch (error) {
    const { message, cause } = error as Error;
    if ((cause as { code?: unknown } | undefined)?.code !== PROTOCOL_VIOLATION) throw error;
    throw new Error(`${message}; ${REMEDY}`, { cause });
  }
}

/** Finds a pooler that ignores start-up parameters. */
async function assertOwnSession(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ session: string | null }>(
    `select current_setting('counterfoil.session', true) as session`,
  );
  if (rows[0]?.session === 'own') return;
  throw new Error(
    `the database at ${client.host}:${client.port} ignores the settings of a connection; ${REMEDY}`,
  );
}

const REMEDY =
  'behind a pooler such as PgBouncer, set DIRECT_DATABASE_URL to a URL of the server itself (docs/scaling.md)';

async function assertMigrated(client: pg.Client, migrations: readonly MigrationClass[]): Promise<void> {
  const applied = await appliedMigrations(client);
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) {
    throw new Error(`the database lacks ${missing.length} migration(s): run npm run -s admin -- migrate`);
  }
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
