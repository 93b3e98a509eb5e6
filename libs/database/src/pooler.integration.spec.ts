import {
  createTestDatabase,
  hasPgBouncer,
  type OwnPgBouncer,
  startPgBouncer,
  testConfig,
  type TestDatabase,
} from '@counterfoil/test-harness';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';
import { DATABASE_MIGRATIONS } from './migrations';
import { PooledClient, storeSessionSettings } from './pooler';
import { assertDatabaseReachable, assertDatabaseReady } from './readiness';
import { withDirectClient, withMigrationClient } from './resilient-client';
import { defer } from './sql';
import { statement } from './sql-statement';
import { TypeOrmTransactions } from './typeorm-transactions';

const IGNORED = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
const withPooler = hasPgBouncer('pooler.integration.spec.ts') ? describe : describe.skip;

withPooler('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: OwnPgBouncer;

  beforeAll(async () => {
    [database, pooler] = await Promise.all([createTestDatabase(), startPgBouncer({ default_pool_size: 2 })]);
  });
  afterAll(async () => {
    await database?.drop();
    await pooler?.stop();
  });

  const config = () => testConfig(pooler.urlOf(database.url), { DIRECT_DATABASE_URL: database.url });

  it('a process without DIRECT_DATABASE_URL does not start, and the error names it', async () => {
    const without = testConfig(pooler.urlOf(database.url));
    for (const start of [assertDatabaseReady(without, DATABASE_MIGRATIONS), assertDatabaseReachable(without)])
      await expect(start).rejects.toThrow(/unsupported startup parameter.*set DIRECT_DATABASE_URL/);
  });

  it('a process does not start on sessions without time limits', async () => {
    await expect(assertDatabaseReady(config(), DATABASE_MIGRATIONS)).rejects.toThrow(
      'have no idle_in_transaction_session_timeout and no lock_timeout and no statement_timeout: run',
    );
  });

  it('a process does not start if the pooler ignores its settings', async () => {
    const ignoring = await startPgBouncer({ ignore_startup_parameters: IGNORED });
    try {
      const url = ignoring.urlOf(database.url);
      await expect(assertDatabaseReady(testConfig(url), DATABASE_MIGRATIONS)).rejects.toThrow(
        /ignores the settings of a connection; .*set DIRECT_DATABASE_URL/,
      );
      const twice = testConfig(url, { DIRECT_DATABASE_URL: url });
      await expect(assertDatabaseReady(twice, DATABASE_MIGRATIONS)).rejects.toThrow('ignores the settings');
    } finally {
      await ignoring.stop();
    }
  });

  describe('after a migration, which stores the settings of sessions', () => {
    let fresh: OwnPgBouncer;

    beforeAll(async () => {
      fresh = await startPgBouncer({ default_pool_size: 2 });
      await storeSessionSettings(
        testConfig(database.url, { DIRECT_DATABASE_URL: database.url, STATEMENT_TIMEOUT: '7s' }),
      );
    });
    afterAll(() => fresh?.stop());

    const connect = async () => {
      const client = new PooledClient({
        connectionString: fresh.urlOf(database.url),
        options: '-c timezone=UTC',
        statement_timeout: 1_000,
      });
      await client.connect();
      return client;
    };

    it('a process starts', async () => {
      const reached = testConfig(fresh.urlOf(database.url), { DIRECT_DATABASE_URL: database.url });
      await expect(assertDatabaseReady(reached, DATABASE_MIGRATIONS)).resolves.toBeUndefined();
    });

    it('its sessions have them, and commands and migrations have no limit', async () => {
      const read = `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' ' ||
        current_setting('default_transaction_isolation') as settings`;
      const client = await connect();
      expect((await client.query(read)).rows).toEqual([{ settings: '7s 5s read committed' }]);
      await client.end();
      const [direct, owner] = [withDirectClient, withMigrationClient].map((run) =>
        run(config(), async (one) => (await one.query(read)).rows[0] as unknown),
      );
      expect(await direct).toEqual({ settings: '7s 5s read committed' });
      expect(await owner).toEqual({ settings: '0 0 read committed' });
    });

    it('a transaction defers statements, and is rolled back as a whole', async () => {
      const pooled = testConfig(fresh.urlOf(database.url), { DIRECT_DATABASE_URL: database.url });
      const dataSource = await new DataSource(dataSourceOptions(pooled, 'counterfoil-test')).initialize();
      const transactions = new TypeOrmTransactions(dataSource);
      const add = statement<{ readonly note: string }>('test: pooled', 'insert into pooled values (:note)', {
        prepared: true,
      });
      const divide = statement<{ readonly by: number }>('test: pooled division', 'select 1 / :by::int', {
        prepared: true,
      });
      const write = (note: string, by: number) =>
        transactions.run(async (tx) => {
          await defer(tx, add, { note });
          await defer(tx, divide, { by });
        });
      try {
        await database.query('create table pooled (note text)');
        const notes = Array.from({ length: 6 }, (_, number) => `${number}`);
        const written = notes.map((note) => write(note, Number(note) % 2));
        const outcomes = await Promise.allSettled(written);
        expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(3);
        expect(await database.query('select note from pooled order by 1')).toEqual(
          ['1', '3', '5'].map((note) => ({ note })),
        );
      } finally {
        await dataSource.destroy();
      }
    });

    it('a named statement runs in every session', async () => {
      const clients = await Promise.all([connect(), connect(), connect()]);
      const named = (value: number) => ({ name: 'one', text: 'select $1::int as value', values: [value] });
      for (let round = 0; round < 5; round++) {
        const answers = clients.map((client, at) => client.query<{ value: number }>(named(at)));
        expect((await Promise.all(answers)).map(({ rows }) => rows[0]?.value)).toEqual([0, 1, 2]);
      }
      await Promise.all(clients.map((client) => client.end()));
    });
  });
});
