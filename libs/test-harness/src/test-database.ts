import { randomBytes } from 'node:crypto';
import { loadConfig } from '@counterfoil/config';
import { migrateDatabase } from '@counterfoil/database';
import { migrateQueueStore } from '@counterfoil/queue';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL as the superuser. */
  query<Row extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Runs SQL in a transaction that stays open, with its locks, until it is released. */
  hold(sql: string): HeldTransaction;
  drop(): Promise<void>;
}

export interface HeldTransaction {
  /** Resolves when the SQL has run. */
  readonly ready: Promise<void>;
  release(): Promise<void>;
}

const TEMPLATE_LOCK = 4_002_001;

/** An empty, migrated database of the test's own, copied from a template that is migrated once for each run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = serverUrl();
  const template = await ensureTemplate(server);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(server, (client) => client.query(`create database ${name} template ${template}`));
  return openTestDatabase(server, name);
}

function openTestDatabase(server: string, name: string): TestDatabase {
  const database = databaseAt(withDatabase(server, name));
  return {
    ...database,
    drop: async () => {
      // Not awaited: a test that failed may still hold a connection, which the drop ends.
      void database.drop();
      await asAdministrator(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** A database on a server of the test's own, with which it ends: dropping it only ends the connections of the test. */
export function databaseAt(url: string): TestDatabase {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  return {
    url,
    query: async (sql, parameters = []) => (await pool.query(sql, parameters)).rows,
    hold: (sql) => hold(pool, sql),
    drop: () => pool.end(),
  };
}

function hold(pool: pg.Pool, sql: string): HeldTransaction {
  const client = pool.connect();
  const ready = client.then(async (connected) => {
    connected.on('error', () => undefined);
    await connected.query('begin');
    await connected.query(sql);
  });
  return {
    ready,
    release: async () => {
      await ready;
      const connected = await client;
      await connected.query('rollback');
      connected.release();
    },
  };
}

/** Made by whichever test process comes first; named after the run, since migrations differ between checkouts. */
async function ensureTemplate(server: string): Promise<string> {
  const name = `template_${process.env['TEST_RUN_ID'] ?? process.ppid}`;
  await asAdministrator(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query(
      'select 1 from pg_database where datname = $1 and datallowconn = false',
      [name],
    );
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    const config = loadConfig({ DATABASE_URL: withDatabase(server, name), SECRETS_KEY: 'x'.repeat(32) });
    await migrateDatabase(config);
    await migrateQueueStore(config);
    await client.query(`alter database ${name} with allow_connections false`);
  });
  return name;
}

async function asAdministrator<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set; the Jest set-up of integration tests sets it');
  return url;
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
