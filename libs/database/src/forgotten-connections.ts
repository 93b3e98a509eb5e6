import { RequestCoalescer } from '@counterfoil/kernel';
import pg from 'pg';

const PATIENCE_MS = 2_000;

/** Backends that wait for the client while the client waits for them. */
const WAITING = `
  select pid from pg_stat_activity
   where pid = any ($1) and (state in ('idle', 'idle in transaction', 'idle in transaction (aborted)')
                             or wait_event_type = 'Client')`;

const servers = new Map<string, RequestCoalescer<number, boolean>>();

/**
 * Whether the server is idle on a connection that waits for its answer. Then the network has dropped the
 * connection, and the statement or the answer is lost. This asks the server on another connection, shared by
 * all concurrent checks.
 *
 * @param backend the process id of the server for the connection. Some proxies report an id that the server
 *   does not know; such a connection does not count as forgotten
 * @returns false if the server does not answer
 */
export async function isForgotten(config: pg.ClientConfig, backend: number): Promise<boolean> {
  const { connectionString, host, port, database, user } = config;
  const key = [connectionString, host, port, database, user].join(' ');
  let server = servers.get(key);
  if (!server) {
    server = new RequestCoalescer(
      (backends) => areWaiting(config, backends),
      PATIENCE_MS,
      () => servers.delete(key),
    );
    servers.set(key, server);
  }
  return server.submit(backend).catch(() => false);
}

async function areWaiting(config: pg.ClientConfig, backends: readonly number[]): Promise<boolean[]> {
  const client = new pg.Client({
    ...config,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: 'counterfoil-check',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(WAITING, [backends]);
    const waiting = new Set(rows.map(({ pid }) => pid));
    return backends.map((backend) => waiting.has(backend));
  } finally {
    // Destroy instead of ending it: the network may have dropped this connection, too.
    client.connection.stream.destroy();
  }
}
