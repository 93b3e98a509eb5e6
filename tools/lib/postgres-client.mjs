// The queries that the launcher itself sends to PostgreSQL.
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5000;
const READINESS_TIMEOUT_MS = 5000;

/** Runs the work on a new connection, and closes it. */
export async function withConnection(url, work) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener, the error event of a lost idle connection would crash the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Tests a server with a query: it accepts TCP connections before it is ready.
 *
 * @returns {Promise<'ready' | 'no database' | 'not yet'>}
 */
export async function readiness(url) {
  try {
    const query = { text: 'select 1', query_timeout: READINESS_TIMEOUT_MS };
    await withConnection(url, (client) => client.query(query));
    return 'ready';
  } catch (error) {
    if (error.code === '3D000') return 'no database';
    if (isPassing(error)) return 'not yet';
    throw error;
  }
}

/** Transient: the server is starting or stopping, does not listen yet, or closed the connection. */
function isPassing(error) {
  const passing = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03'];
  return passing.includes(error.code) || /timeout|terminated|ended/i.test(error.message);
}

export async function createDatabase(maintenanceUrl, name) {
  await withConnection(maintenanceUrl, (client) => client.query(`create database "${name}"`)).catch(
    (error) => {
      // Another process has just created it.
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    },
  );
}
