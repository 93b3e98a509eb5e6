import { randomBytes } from 'node:crypto';
import { type Config, loadConfig } from '@counterfoil/config';
import { advisoryLock, inOrder, migrateDatabase, type MigrationClass } from '@counterfoil/database';
import { jobNames, migrateQueueStore } from '@counterfoil/queue';
import { JOBS, MIGRATIONS } from '@counterfoil/schema';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';

export interface TestDatabase {
  /** The URL of the runtime role, which owns nothing, so that a grant that a migration forgot fails tests. */
  readonly url: string;
  /** The URL of the superuser, who migrates. */
  readonly adminUrl: string;
  /** Runs SQL as the superuser. */
  query<Row extends pg.QueryResultRow>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /**
   * Vacuums and analyzes tables, by default all, so that index-only scans are possible, and leaves no writes pending
   * that would disturb a measurement.
   */
  vacuum(...tables: readonly string[]): Promise<void>;
  /** Runs SQL in a transaction that stays open, with its locks, until it is released or committed. */
  hold(sql: string): HeldTransaction;
  drop(): Promise<void>;
}

export interface HeldTransaction {
  /** Resolves when the SQL has run. */
  readonly ready: Promise<void>;
  /** Rolls it back. */
  release(): Promise<void>;
  commit(): Promise<void>;
}

const LOCK_TEMPLATE = `select ${advisoryLock('pg_advisory_lock', 'test template')}`;
export const RUNTIME_ROLE = 'counterfoil_test_runtime';
export const RUNTIME_PASSWORD = 'runtime';

/** A database that is prepared once in each run, and of which tests get copies. */
export interface Template {
  readonly name: string;
  readonly prepare: (urls: Pick<TestDatabase, 'url' | 'adminUrl'>) => Promise<void>;
}

const MIGRATED: Template = {
  name: 'migrated',
  prepare: async ({ url, adminUrl }) => {
    const urls = { DATABASE_URL: url, MIGRATION_DATABASE_URL: adminUrl };
    await migrateTestDatabase(loadConfig({ ...urls, SECRETS_KEY: 'x'.repeat(32) }));
  },
};

/** Creates a database for the test: by default an empty, migrated one. */
export async function createTestDatabase(template = MIGRATED): Promise<TestDatabase> {
  const server = serverUrl();
  const original = await ensureTemplate(server, template);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(server, (client) => client.query(`create database ${name} template ${original}`));
  return openTestDatabase(server, name);
}

/** Migrates the database and the queue store, like the command `migrate`. */
export async function migrateTestDatabase(config: Config): Promise<void> {
  await migrateDatabase(config, MIGRATIONS);
  await migrateQueueStore(config, jobNames(JOBS));
}

export interface DatabaseBefore {
  /** A connection of the superuser. */
  readonly runner: QueryRunner;
  drop(): Promise<void>;
}

/**
 * Creates a database in the state before a migration, to test the effect of the migration on existing rows.
 */
export async function createDatabaseBefore(migration: MigrationClass): Promise<DatabaseBefore> {
  const server = serverUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdministrator(server, (client) => client.query(`create database ${name}`));
  const url = withDatabase(server, name);
  const config = loadConfig({ DATABASE_URL: url, SECRETS_KEY: 'x'.repeat(32) });
  const all = inOrder(MIGRATIONS);
  await migrateDatabase(config, all.slice(0, all.indexOf(migration)));
  const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
  return {
    runner: dataSource.createQueryRunner(),
    drop: async () => {
      await dataSource.destroy();
      await asAdministrator(server, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

function openTestDatabase(server: string, name: string): TestDatabase {
  const database = databaseAt(withDatabase(server, name));
  return {
    ...database,
    drop: async () => {
      // Not awaited: a failed test may still hold a connection, which the drop below ends.
      void database.drop();
      await asAdministrator(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/**
 * Uses a database on a server that the test owns. The database ends with that server, so dropping it only
 * closes the test's connections.
 *
 * @param adminUrl the superuser's URL; migrating the database creates the runtime role
 */
export function databaseAt(adminUrl: string): TestDatabase {
  const pool = new pg.Pool({ connectionString: adminUrl, max: 4 });
  pool.on('error', () => undefined);
  return {
    url: runtimeUrlOf(adminUrl),
    adminUrl,
    query: async (sql, parameters = []) => (await pool.query(sql, parameters)).rows,
    vacuum: (...tables) => vacuum(pool, tables),
    hold: (sql) => hold(pool, sql),
    drop: () => pool.end(),
  };
}

/**
 * Copies a database.
 *
 * @returns a function that replaces the database by the copy, even while clients are connected
 */
export async function keepDatabase(adminUrl: string): Promise<() => Promise<void>> {
  const name = new URL(adminUrl).pathname.slice(1);
  const copy = `${name}_kept`;
  const alone = (sql: string) => async (client: pg.Client) => {
    await client.query(`alter database ${name} with allow_connections false`);
    const ended = 'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1';
    await client.query(ended, [name]);
    await client.query(sql);
  };
  const server = withDatabase(adminUrl, 'postgres');
  await asAdministrator(server, alone(`create database ${copy} template ${name}`));
  await asAdministrator(server, (client) =>
    client.query(`alter database ${name} with allow_connections true`),
  );
  return async () => {
    await asAdministrator(server, alone(`drop database ${name} with (force)`));
    await asAdministrator(server, (client) => client.query(`alter database ${copy} rename to ${name}`));
  };
}

const VACUUMS_MAX = 20;
/** Finds a table of these, or of all if none is named, with pages that are not marked as all-visible. */
const PARTLY_VISIBLE = `
  select 1 from pg_class
   where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages
     and ($1::text[] = '{}' or relname = any ($1)) limit 1`;

async function vacuum(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    // Vacuum marks a page as all-visible only when its commits are on disk, and the server commits asynchronously. It
    // knows this for groups of transactions only, so those of the vacuum itself must not be asynchronous either. Those of
    // other tests may be in the same group, so it is repeated.
    await client.query('set synchronous_commit = on');
    for (let tries = 0; tries < VACUUMS_MAX; tries++) {
      await client.query('checkpoint');
      await client.query(`vacuum (analyze) ${tables.join(', ')}`);
      const { rowCount } = await client.query(PARTLY_VISIBLE, [tables]);
      if (rowCount === 0) break;
    }
    await client.query('checkpoint');
    await client.query('reset synchronous_commit');
  } finally {
    client.release();
  }
}

function hold(pool: pg.Pool, sql: string): HeldTransaction {
  const client = pool.connect();
  const ready = client.then(async (connected) => {
    connected.on('error', () => undefined);
    await connected.query('begin');
    await connected.query(sql);
  });
  const end = async (command: 'commit' | 'rollback'): Promise<void> => {
    await ready;
    const connected = await client;
    await connected.query(command);
    connected.release();
  };
  return { ready, release: () => end('rollback'), commit: () => end('commit') };
}

/**
 * Creates the template in the first test process of a run. It is named after the run, because migrations
 * differ between checkouts.
 */
async function ensureTemplate(server: string, { name, prepare }: Template): Promise<string> {
  const original = `template_${name}_${process.env['TEST_RUN_ID'] ?? process.ppid}`;
  await asAdministrator(server, async (client) => {
    await client.query(LOCK_TEMPLATE);
    const { rowCount } = await client.query(
      'select 1 from pg_database where datname = $1 and datallowconn = false',
      [original],
    );
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${original} with (force)`);
    await client.query(`create database ${original}`);
    const adminUrl = withDatabase(server, original);
    await prepare({ url: runtimeUrlOf(adminUrl), adminUrl });
    await asAdministrator(adminUrl, grantTablesOfTests);
    await client.query(`alter database ${original} with allow_connections false`);
  });
  return original;
}

/** Tests create tables as the superuser. This does not affect tables of migrations. */
async function grantTablesOfTests(client: pg.Client): Promise<void> {
  const grant = 'alter default privileges in schema public grant';
  await client.query(`${grant} select, insert, update, delete on tables to ${RUNTIME_ROLE}`);
  await client.query(`${grant} usage, select on sequences to ${RUNTIME_ROLE}`);
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

export function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set; the Jest set-up of integration tests sets it');
  return url;
}

function runtimeUrlOf(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.username = RUNTIME_ROLE;
  url.password = RUNTIME_PASSWORD;
  return url.href;
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
