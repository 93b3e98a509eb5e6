import { Batches } from '@counterfoil/kernel';
import pg from 'pg';

const PATIENCE_MS = 2_000;

/** Those whose server waits for us, though we wait for it. */
const WAITING = `
  select pid from pg_stat_activity
   where pid = any ($1) and (state in ('idle', 'idle in transaction', 'idle in transaction (aborted)')
                             or wait_event_type = 'Client')`;

const servers = new Map<string, Batches<number, boolean>>();

/**
 * Whether the server has nothing to do for a connection that waits for its answer: the statement or the answer was lost
 * with the connection, which the network has forgotten. The server is asked on another connection, made for all that
 * wish to know at the same time.
 *
 * @param backend the process that serves the connection. One that is not the server's, as behind some proxies, is not
 *   taken for one that has nothing to do
 * @returns false where the server cannot be asked
 */
export async function isForgotten(config: pg.ClientConfig, backend: number): Promise<boolean> {
  const { connectionString, host, port, database, user } = config;
  const key = [connectionString, host, port, database, user].join(' ');
  let server = servers.get(key);
  if (!server) {
    server = new Batches(
      (backends) => areWaiting(config, backends),
      PATIENCE_MS,
      () => servers.delete(key),
    );
    servers.set(key, server);
  }
  return server.ask(backend).catch(() => false);
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
    // Its end is not waited for: this connection may be forgotten as well.
    client.connection.stream.destroy();
  }
}
