import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createTestDatabase,
  startTcpProxy,
  testConfig,
  type TcpProxy,
  type TestDatabase,
} from '@counterfoil/test-harness';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { ResilientClient, ResilientPool, withClient, withMigrationClient } from './resilient-client';
import { dataSourceOptions } from './data-source';
import { isDatabaseUnavailable } from './database-errors';

const SILENCE_MS = 300;

describe('a connection to a server that goes silent', () => {
  let database: TestDatabase;
  let wire: TcpProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
    wire = await startTcpProxy(database.url);
  });
  afterAll(async () => {
    await wire.close();
    await database.drop();
  });
  afterEach(() => wire.speak());

  const connected = async (): Promise<ResilientClient> => {
    const client = new ResilientClient({ connectionString: wire.url, silence_timeout: SILENCE_MS });
    await client.connect();
    return client;
  };

  type Work = (client: pg.Client) => Promise<unknown>;
  const migrating = (work: Work) =>
    withMigrationClient(testConfig(wire.url, { MIGRATION_DATABASE_URL: wire.url }), work);

  it('fails its statement as a database that is away', async () => {
    const client = await connected();
    wire.silence();
    const started = performance.now();
    const error: unknown = await client.query('select 1').catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: 'ETIMEDOUT' });
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(performance.now() - started).toBeLessThan(10 * SILENCE_MS);
    await expect(client.query('select 1')).rejects.toThrow('not queryable');
  });

  it('is kept while no statement runs', async () => {
    const client = await connected();
    wire.silence();
    await sleep(3 * SILENCE_MS);
    wire.speak();
    expect((await client.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  });

  it('is kept while rows arrive, however long that takes', async () => {
    const client = await connected();
    const text = `select repeat('x', 65536), pg_sleep(0.1) from generate_series(1, 10)`;
    expect((await client.query(text)).rowCount).toBe(10);
    await client.end();
  });

  it('is given up early if the server answers others and is idle on this connection', async () => {
    const client = new ResilientClient({ connectionString: wire.url, silence_timeout: 60_000 });
    await client.connect();
    wire.silence();
    const lost = client.query('select 1');
    lost.catch(() => undefined);
    await sleep(1_000);
    wire.speak(true);
    const spoken = performance.now();
    await expect(lost).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(performance.now() - spoken).toBeLessThan(5_000);
  });

  it('is given up at its time limit if the server has ended it meanwhile', async () => {
    const client = new ResilientClient({ connectionString: wire.url, silence_timeout: 4_000 });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    wire.silence();
    const lost = client.query('select 1');
    lost.catch(() => undefined);
    await database.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    wire.speak(true);
    await expect(lost).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it.each([
    ['a check at the start, in its time', false, (work: Work) => withClient(wire.url, work)],
    ['a command, as soon as the server says that it was forgotten', true, migrating],
  ])('is given up by %s', async (_, forgets, withConnection) => {
    const started = performance.now();
    const lost = withConnection(async (client) => {
      wire.silence();
      const answer = client.query('select 1');
      if (!forgets) return answer;
      answer.catch(() => undefined);
      await sleep(1_000);
      wire.speak(true);
      return answer;
    });
    await expect(lost).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(performance.now() - started).toBeLessThan(forgets ? 5_000 : 12_000);
  });

  it('is given up together with those that were idle all the time', async () => {
    const pool = new ResilientPool({ connectionString: wire.url, max: 5, silence_timeout: 60_000 });
    const one = () => pool.query('select 1 as one, pg_sleep(0.1)').then(({ rowCount }) => rowCount);
    await Promise.all(Array.from({ length: 5 }, one));
    wire.silence();
    wire.speak(true);
    await expect(one()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    // On one of the other lost connections it would fail.
    expect(await one()).toBe(1);
    await pool.end();
  }, 30_000);

  it('is kept while the server works on its statement without sending anything', async () => {
    const client = new ResilientClient({ connectionString: wire.url, silence_timeout: 60_000 });
    await client.connect();
    await client.query('select pg_sleep(1)');
    expect((await client.query<{ one: number }>('select 1 as one, pg_sleep(7)')).rows).toMatchObject([
      { one: 1 },
    ]);
    await client.end();
  }, 20_000);

  it('is given up after the timeout also if it was idle before', async () => {
    const client = await connected();
    await sleep(2 * SILENCE_MS);
    wire.silence();
    await expect(client.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('is detected if it only listens', async () => {
    const client = new ResilientClient({ connectionString: wire.url, heartbeat_interval: SILENCE_MS });
    await client.connect();
    await client.query('listen news');
    const heard = once(client, 'notification');
    await sleep(3 * SILENCE_MS);
    await database.query('notify news');
    await heard;
    client.on('notification', () => undefined);
    const ended = once(client, 'end');
    wire.silence();
    await expect(ended).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('is replaced in a pool', async () => {
    const options = { connectionString: wire.url, max: 1, silence_timeout: SILENCE_MS };
    const pool = new ResilientPool(options);
    await pool.query('select 1');
    wire.silence();
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    wire.speak();
    expect((await pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('every kind of connection', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** In seconds, on the server's side; what is unacknowledged, in milliseconds. */
  const SHOW = `select current_setting('tcp_keepalives_idle')::int as idle,
    current_setting('tcp_keepalives_interval')::int as interval, current_setting('tcp_user_timeout')::int as unacknowledged,
    current_setting('search_path') as path`;
  const forgottenSoon = { idle: 20, interval: 5, unacknowledged: 15_000 };

  it('is closed by the server soon after the network has dropped it, even if idle', async () => {
    const pool = new ResilientPool({ connectionString: database.url, options: '-c search_path=bullmq' });
    expect((await pool.query(SHOW)).rows).toEqual([{ ...forgottenSoon, path: 'bullmq' }]);
    await pool.end();
    const dataSource = await new DataSource(
      dataSourceOptions(testConfig(database.url), 'counterfoil-test'),
    ).initialize();
    expect(await dataSource.query(SHOW)).toMatchObject([forgottenSoon]);
    const workers = "select current_setting('max_parallel_workers_per_gather') as workers";
    expect(await dataSource.query(workers)).toEqual([{ workers: '0' }]);
    await dataSource.destroy();
  });
});
