import type { Config } from '@counterfoil/config';
import pg from 'pg';
import { MIGRATIONS } from './migrations';

const PROBE_TIMEOUT_MS = 5_000;

/** PostgreSQL's word for a table that is not there. */
const UNDEFINED_TABLE = '42P01';

/**
 * Makes sure that the database answers, before anything is built on it.
 *
 * @throws Error with one line for an operator, without the password
 */
export function assertDatabaseReachable(config: Config): Promise<void> {
  return withClient(config, () => Promise.resolve());
}

/**
 * Makes sure that the database answers and has every migration that this code needs.
 *
 * @throws Error with one line for an operator
 */
export function assertDatabaseReady(config: Config): Promise<void> {
  return withClient(config, async (client) => {
    const applied = await appliedMigrations(client);
    const missing = MIGRATIONS.filter(({ name }) => !applied.has(name));
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

async function withClient(config: Config, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await connect(client);
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(client: pg.Client): Promise<void> {
  try {
    await client.connect();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    throw new Error(`the database at ${client.host}:${client.port} (DATABASE_URL) cannot be used: ${why}`, {
      cause,
    });
  }
}
