import type { Config } from '@counterfoil/config';
import pg from 'pg';

const PROBE_TIMEOUT_MS = 5_000;

/**
 * Makes sure that the database answers and has every migration that this code needs, before anything is built on it.
 *
 * @throws Error with one line for an operator, without the password
 */
export async function assertDatabaseReachable(config: Config): Promise<void> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    throw new Error(`the database at ${client.host}:${client.port} (DATABASE_URL) cannot be used: ${why}`, {
      cause,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
