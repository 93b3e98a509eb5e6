// The little that the launcher asks PostgreSQL itself.
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5000;

/** Runs the work on a connection of its own, which it always closes. */
export async function withConnection(url, work) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A server that goes away on an idle connection says so by an event, which would otherwise end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * How a server answers a real connection. That its port accepts means nothing yet.
 *
 * @returns {Promise<'ready' | 'no database' | 'not yet'>}
 */
export async function readiness(url) {
  try {
    await withConnection(url, (client) => client.query('select 1'));
    return 'ready';
  } catch (error) {
    if (error.code === '3D000') return 'no database';
    if (isPassing(error)) return 'not yet';
    throw error;
  }
}

/** Starting, stopping, not listening yet, or cut off in the middle: all of these pass. */
function isPassing(error) {
  const passing = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03'];
  return passing.includes(error.code) || /timeout|terminated|ended/i.test(error.message);
}

export async function createDatabase(maintenanceUrl, name) {
  await withConnection(maintenanceUrl, (client) => client.query(`create database "${name}"`)).catch(
    (error) => {
      // Another process was quicker.
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    },
  );
}
