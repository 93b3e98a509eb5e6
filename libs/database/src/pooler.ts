import type { Config } from '@counterfoil/config';
import type pg from 'pg';
import {
  ResilientClient,
  type ResilientClientConfig,
  withClient,
  withDirectClient,
} from './resilient-client';
import { TAKE_GRANT_LOCK } from './runtime-role';
import { NO_LIMITS, storedSettings } from './session-settings';

/**
 * A connection to a pooler that runs each transaction in another session, such as PgBouncer with `pool_mode =
 * transaction`. It sends no settings on connecting, because the pooler would refuse or ignore them; the sessions have
 * those of their role, see `storeSessionSettings`. It prepares no statements, because the next session does not know
 * them.
 */
export class PooledClient extends ResilientClient {
  constructor(config: ResilientClientConfig = {}) {
    super({ ...config, ...NO_LIMITS, options: '' });
  }

  // The declared overloads cannot be implemented by one signature.
  override query = ((query: Query, ...more: unknown[]) =>
    (super.query as AnyQuery)(unnamed(query), ...more)) as unknown as pg.Client['query'];
}

type Query = string | { readonly name?: string; readonly submit?: unknown };
type AnyQuery = (...parameters: unknown[]) => unknown;

function unnamed(query: Query): Query {
  return typeof query === 'string' || query.name === undefined ? query : { ...query, name: '' };
}

/** The client for connections to `DATABASE_URL`. */
export function clientOf({ directDatabaseUrl }: Config): typeof ResilientClient {
  return directDatabaseUrl === null ? ResilientClient : PooledClient;
}

/**
 * Stores the settings of sessions with the role of `DATABASE_URL`, if it leads to a pooler. They apply to sessions that
 * the pooler opens later.
 */
export async function storeSessionSettings(config: Config): Promise<void> {
  if (config.directDatabaseUrl === null) return;
  await withDirectClient(config, async (client) => {
    await client.query(TAKE_GRANT_LOCK);
    for (const statement of storedSettings(client, config.statementTimeoutMs)) await client.query(statement);
  });
}

/**
 * Checks that the sessions of the pooler have time limits. Without them, a stuck statement would keep a connection that
 * all processes share.
 *
 * @throws Error with one line for the operator
 */
export async function assertPooledSessionsLimited({ databaseUrl, directDatabaseUrl }: Config): Promise<void> {
  if (directDatabaseUrl === null) return;
  const unlimited = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(UNLIMITED);
    return rows.map(({ name }) => name);
  });
  if (unlimited.length === 0) return;
  throw new Error(
    `the sessions of the pooler in DATABASE_URL have no ${unlimited.join(' and no ')}: run npm run -s admin -- migrate with DIRECT_DATABASE_URL, and then RECONNECT in the pooler's console`,
  );
}

const UNLIMITED = `
  select name from pg_settings
   where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') and setting = '0'
   order by name`;
