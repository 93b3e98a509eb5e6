import { setTimeout as sleep } from 'node:timers/promises';
import {
  databaseAt,
  migrateTestDatabase,
  type OpenContext,
  openTestContext,
  type OwnPostgres,
  startOwnPostgres,
  startTcpProxy,
  type TcpProxy,
  testConfig,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';
import { register } from 'prom-client';
import { HAS_REACHED, READ_POSITION } from './replica.sql';
import { Sql } from './sql';
import type { Statements } from './statements';

/** Shorter than the time that a read waits for the replica. */
const DELAY_MS = 20;
const WRITERS = 8;
const WRITES = 50;
/** More than there are connections to the replica. */
const READS_AT_ONCE = 60;
/** A read that finds the replica behind waits 50 ms for it, one that finds it silent two seconds. */
const BEHIND_MAX_MS = 1_000;
const SILENT_MAX_MS = 5_000;
/** Longer than the pause after which an unreachable replica is tried again. */
const BACK_MAX_MS = 10_000;

describe('a replica', () => {
  let server: OwnPostgres;
  let standby: TestDatabase;
  let proxy: TcpProxy;
  let context: OpenContext;
  let sql: Sql;
  let lastId = 0;

  beforeAll(async () => {
    server = await startOwnPostgres();
    await migrateTestDatabase(testConfig(server.url));
    const primary = databaseAt(server.url);
    await primary.query('create table noted (id int primary key)');
    await primary.drop();
    const standbyUrl = await server.startStandby();
    standby = databaseAt(standbyUrl);
    proxy = await startTcpProxy(standbyUrl);
    context = await openTestContext(testConfig(server.url, { REPLICA_DATABASE_URL: proxy.url }));
    sql = context.get(Sql);
  }, 120_000);
  afterAll(async () => {
    await context?.close();
    await proxy?.close();
    await standby?.drop();
    await server?.stop();
  }, 60_000);

  const isOnStandby = async (statements: Statements): Promise<boolean> => {
    const [row] = await statements.rows<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return row?.standby ?? false;
  };
  const isUsed = () => until('the replica to answer', () => sql.read(isOnStandby), BACK_MAX_MS);

  async function write(): Promise<number> {
    const id = (lastId += 1);
    await sql.rows('insert into noted values ($1)', [id]);
    return id;
  }

  const find = (id: number) => (statements: Statements) =>
    statements.rows('select id from noted where id = $1', [id]);

  async function writeAndRead(): Promise<boolean> {
    const id = await write();
    return (await sql.read(find(id))).length === 1;
  }

  async function readsBy(outcome: string): Promise<number> {
    const metric = register.getSingleMetric('counterfoil_database_replica_reads_total');
    const { values = [] } = (await metric?.get()) ?? {};
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
  }

  /** Without a delay, a replica on the same machine is hardly ever behind. */
  async function delayReplay(ms: number): Promise<void> {
    await standby.query(`alter system set recovery_min_apply_delay = '${ms}ms'`);
    await standby.query('select pg_reload_conf()');
  }

  async function tookMs(work: () => Promise<unknown>): Promise<number> {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  }

  it('answers reads, and no other statement', async () => {
    await isUsed();
    expect(await isOnStandby(sql)).toBe(false);
    expect(await sql.snapshot(isOnStandby)).toBe(false);
  });

  it('shows everything that was committed before the read', async () => {
    await delayReplay(DELAY_MS);
    await isUsed();
    const before = await readsBy('replica');
    const writer = async () => {
      const found: boolean[] = [];
      for (let count = 0; count < WRITES; count++) found.push(await writeAndRead());
      return found;
    };
    const found = (await Promise.all(Array.from({ length: WRITERS }, writer))).flat();
    expect(found).toHaveLength(WRITERS * WRITES);
    expect(found).not.toContain(false);
    expect(await readsBy('replica')).toBeGreaterThan(before);
    await delayReplay(0);
  });

  it('is not read while it is behind, and is again afterwards', async () => {
    await isUsed();
    await standby.query('select pg_wal_replay_pause()');
    try {
      const before = await readsBy('behind');
      const id = await write();
      expect(await tookMs(async () => expect(await sql.read(find(id))).toHaveLength(1))).toBeLessThan(
        BEHIND_MAX_MS,
      );
      expect(await standby.query(`select id from noted where id = ${id}`)).toEqual([]);
      expect(await readsBy('behind')).toBe(before + 1);
    } finally {
      await standby.query('select pg_wal_replay_resume()');
    }
    await isUsed();
  });

  it('is not read while it refuses connections or is silent, and is again afterwards', async () => {
    await isUsed();
    await proxy.cut();
    expect(await writeAndRead()).toBe(true);
    await proxy.mend();
    await isUsed();
    proxy.silence();
    const reads = Array.from({ length: READS_AT_ONCE }, () => writeAndRead());
    expect(await tookMs(async () => expect(await Promise.all(reads)).not.toContain(false))).toBeLessThan(
      SILENT_MAX_MS,
    );
    expect(await tookMs(async () => expect(await writeAndRead()).toBe(true))).toBeLessThan(BEHIND_MAX_MS);
    proxy.speak(true);
    await isUsed();
  }, 60_000);

  it('is still read after a read that the primary would refuse, too', async () => {
    await isUsed();
    let runs = 0;
    const refused = sql.read((statements) => {
      runs += 1;
      return statements.rows('select 1 / 0');
    });
    await expect(refused).rejects.toThrow('division by zero');
    expect(runs).toBe(1);
    expect(await sql.read(isOnStandby)).toBe(true);
  });

  it('is not read if it belongs to another primary, whatever the positions are', async () => {
    const { epoch } = await sql.only(READ_POSITION, {});
    const hasReached = (of: string) =>
      sql.read((statements) => statements.only(HAS_REACHED, { position: '0/0', epoch: of }));
    await isUsed();
    expect(await hasReached(epoch)).toEqual({ hasReached: true });
    expect(await hasReached(`${epoch} of another`)).toEqual({ hasReached: false });
  });

  it('is not read if it refuses the role, and lists do not fail', async () => {
    const url = new URL(proxy.url);
    url.password = 'wrong';
    const refused = await openTestContext(testConfig(server.url, { REPLICA_DATABASE_URL: url.href }));
    try {
      expect(await refused.get(Sql).read(isOnStandby)).toBe(false);
    } finally {
      await refused.close();
    }
  });

  it('is still read after one read was too slow for it', async () => {
    await isUsed();
    const answered = await sql.read(async (statements) => {
      const standby = await isOnStandby(statements);
      if (standby) await statements.rows('select pg_sleep(2)');
      return standby;
    });
    expect(answered).toBe(false);
    expect(await sql.read(isOnStandby)).toBe(true);
  });

  it('is not read after it was promoted, although it has all rows', async () => {
    await isUsed();
    await server.promoteStandby();
    await until('the standby to be a primary', async () => {
      const [row] = await standby.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
      return row?.standby === false;
    });
    await standby.query(`insert into noted values (${lastId + 1_000})`);
    await sleep(BEHIND_MAX_MS);
    expect(await sql.read(find(lastId + 1_000))).toEqual([]);
    expect(await writeAndRead()).toBe(true);
  });
});
