import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, inRequestScope, outsideRequests, type Share, Transactions } from '@counterfoil/kernel';
import {
  createTestDatabase,
  startTcpProxy,
  startTestContext,
  testConfig,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';
import { isDatabaseUnavailable, isStatementTimeout } from './database-errors';
import { COMPANY_MAX, CONNECT_TIMEOUT_MS, POOL_SIZE, REQUESTS_MAX } from './fair-pool';
import { Sql } from './sql';
import { managerOf } from './typeorm-transactions';

const GREEDY = 1;
const STATEMENTS = 60;

describe('the connection pool', () => {
  let context: TestContext;
  let sql: Sql;
  /** The statements below wait for this lock. */
  const LOCK = 77;

  beforeAll(async () => {
    context = await startTestContext([]);
    sql = context.get(Sql);
  });
  afterAll(() => context.close());

  const forCompany = <T>(share: Share, work: () => Promise<T>, isAbandoned = () => false) =>
    inRequestScope({ share, isAbandoned }, work);

  /** Runs statements for these shares that hold their connections until `during` has ended. */
  async function whileHeld<T>(shares: readonly Share[], during: () => Promise<T>): Promise<T> {
    const held = context.database.hold(`select pg_advisory_xact_lock(${LOCK})`);
    await held.ready;
    const statements = shares.map((share) =>
      forCompany(share, () => sql.rows(`select pg_advisory_xact_lock_shared(${LOCK})`)),
    );
    try {
      return await during();
    } finally {
      await held.release();
      await Promise.all(statements);
    }
  }

  const waiting = async () => {
    const [row] = await context.database.query<{ count: number }>(
      `select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
    );
    return row?.count ?? 0;
  };
  const sixty = (share: Share) => Array.from({ length: STATEMENTS }, () => share);

  it('never gives all connections to one company', async () => {
    await whileHeld(sixty(GREEDY), async () => {
      await until('its share to be taken', async () => (await waiting()) === COMPANY_MAX);
      expect(await forCompany(2, () => sql.rows('select 1 as one'))).toEqual([{ one: 1 }]);
      const transaction = () => context.get(Transactions).run((tx) => managerOf(tx).query('select 2 as two'));
      expect(await forCompany(3, transaction)).toEqual([{ two: 2 }]);
      expect(await forCompany('strangers', () => sql.rows('select 3 as three'))).toEqual([{ three: 3 }]);
      expect(await waiting()).toBe(COMPANY_MAX);
    });
  });

  it.each<[Share, Share]>([
    ['strangers', 'links'],
    ['links', 'strangers'],
  ])('keeps the connections of %s apart from those of %s', async (busy, other) => {
    await whileHeld(sixty(busy), async () => {
      await until('their share to be taken', async () => (await waiting()) === COMPANY_MAX);
      expect(await forCompany(other, () => sql.rows('select 1 as one'))).toEqual([{ one: 1 }]);
    });
  });

  it('never gives all connections to requests, so that key lookups and health checks still work', async () => {
    const companies = [1, 2, 3, 4, 5].flatMap(sixty);
    await whileHeld(companies, async () => {
      await until('all shares to be taken', async () => (await waiting()) === REQUESTS_MAX);
      expect(REQUESTS_MAX).toBeLessThan(POOL_SIZE);
      expect(await sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
      const inside = forCompany(1, () => outsideRequests(() => sql.rows('select 2 as two')));
      expect(await inside).toEqual([{ two: 2 }]);
    });
  });

  it('has all connections free after statements have failed', async () => {
    const failing = sixty(GREEDY).map(() =>
      forCompany(GREEDY, () => sql.rows('select 1/0')).catch((error: { code?: string }) => error.code),
    );
    expect(new Set(await Promise.all(failing))).toEqual(new Set(['22012']));
    await whileHeld(sixty(GREEDY), () => until('its share', async () => (await waiting()) === COMPANY_MAX));
  });

  it('gives no connection to a read of an abandoned request, but does to its transactions', async () => {
    let gone = false;
    const abandoned = await whileHeld(sixty(GREEDY).slice(0, COMPANY_MAX), async () => {
      await until('its share to be taken', async () => (await waiting()) === COMPANY_MAX);
      const read = forCompany(
        GREEDY,
        () => sql.rows('select 1'),
        () => gone,
      ).catch((error: { code?: string }) => error.code);
      const write = forCompany(
        GREEDY,
        () => context.get(Transactions).run((tx) => managerOf(tx).query('select 2 as two')),
        () => gone,
      );
      gone = true;
      return [read, write];
    });
    expect(await Promise.all(abandoned)).toEqual(['UNAVAILABLE', [{ two: 2 }]]);
  });
});

it('bounds the waits for a slot and for a connection together, if the server does not answer', async () => {
  const database = await createTestDatabase();
  const wire = await startTcpProxy(database.url);
  const options = dataSourceOptions(testConfig(wire.url), 'counterfoil-test', 5_000);
  const dataSource = await new DataSource(options).initialize();
  try {
    const sql = new Sql(dataSource);
    wire.silence();
    const tookMs = async () => {
      const started = performance.now();
      const error: unknown = await inRequestScope({ share: GREEDY, isAbandoned: () => false }, () =>
        sql.rows('select 1'),
      ).catch((thrown: unknown) => thrown);
      expect(isDatabaseUnavailable(error) || error instanceof AppError).toBe(true);
      return performance.now() - started;
    };
    // One statement waits on the connection of the start, the others for new ones.
    const first = Array.from({ length: COMPANY_MAX }, tookMs);
    await sleep(1_000);
    const late = Array.from({ length: COMPANY_MAX }, tookMs);
    expect(Math.max(...(await Promise.all(late)))).toBeLessThan(CONNECT_TIMEOUT_MS + 1_000);
    await Promise.all(first);
  } finally {
    wire.speak(true);
    await dataSource.destroy();
    await wire.close();
    await database.drop();
  }
}, 60_000);

it('cancels a statement after the timeout of the process, and its connection serves the next', async () => {
  const database = await createTestDatabase();
  const options = dataSourceOptions(testConfig(database.url), 'counterfoil-test', 200);
  const dataSource = await new DataSource(options).initialize();
  try {
    const sql = new Sql(dataSource);
    const error: unknown = await sql.rows('select pg_sleep(5)').catch((thrown: unknown) => thrown);
    expect(isStatementTimeout(error)).toBe(true);
    expect(await sql.rows('select 1 as one')).toEqual([{ one: 1 }]);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
