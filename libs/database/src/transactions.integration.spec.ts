import { assertNoTransaction, Transactions } from '@counterfoil/kernel';
import {
  createTestDatabase,
  startTestContext,
  testConfig,
  type TestContext,
} from '@counterfoil/test-harness';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source';
import { isDatabaseUnavailable } from './database-errors';
import { Sql, within } from './sql';
import { managerOf } from './typeorm-transactions';

describe('Transactions', () => {
  let context: TestContext;
  let transactions: Transactions;

  beforeAll(async () => {
    context = await startTestContext([]);
    transactions = context.get(Transactions);
    await context.database.query(
      'create table account (id bigint primary key, balance numeric(14,2) not null)',
    );
    await context.database.query('insert into account values (1, 100), (2, 100)');
  });
  afterAll(() => context.close());

  it('have read committed isolation, whatever the default of the database is', async () => {
    const database = await createTestDatabase();
    await database.query(
      `do $$ begin execute format('alter database %I set default_transaction_isolation = serializable',
         current_database()); end $$`,
    );
    const dataSource = await new DataSource(
      dataSourceOptions(testConfig(database.url), 'counterfoil-test'),
    ).initialize();
    try {
      const isolation: unknown = await dataSource.query('show transaction_isolation');
      expect(isolation).toEqual([{ transaction_isolation: 'read committed' }]);
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });

  it('repeats the work after a deadlock, and both transactions take effect', async () => {
    let attempts = 0;
    let bothHoldOne!: () => void;
    const meeting = new Promise<void>((resolve) => (bothHoldOne = resolve));
    let holding = 0;
    const transfer = (from: number, to: number) =>
      transactions.run(async (tx) => {
        attempts += 1;
        await managerOf(tx).query('update account set balance = balance - 10 where id = $1', [from]);
        holding += 1;
        if (holding === 2) bothHoldOne();
        await meeting;
        await managerOf(tx).query('update account set balance = balance + 10 where id = $1', [to]);
      });

    await Promise.all([transfer(1, 2), transfer(2, 1)]);

    expect(attempts).toBeGreaterThan(2);
    expect(await context.database.query('select sum(balance)::text as sum from account')).toEqual([
      { sum: '200.00' },
    ]);
    const [{ deadlocks }] = (await context.database.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )) as [{ deadlocks: number }];
    expect(deadlocks).toBeGreaterThan(0);
  });

  it('repeats the work after a serialization failure', async () => {
    let attempts = 0;
    await transactions.run(async (tx) => {
      attempts += 1;
      if (attempts < 3) await managerOf(tx).query(`do $$ begin raise sqlstate '40001'; end $$`);
    });
    expect(attempts).toBe(3);
  });

  it('gives up after a few attempts, with a temporary error', async () => {
    let attempts = 0;
    const hopeless = transactions.run(async (tx) => {
      attempts += 1;
      await managerOf(tx).query(`do $$ begin raise sqlstate '40P01'; end $$`);
    });
    const error: unknown = await hopeless.catch((thrown: unknown) => thrown);
    expect(attempts).toBe(5);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('refuses statements after its end, because another transaction may use the connection', async () => {
    const ended = await transactions.run((tx) => Promise.resolve(within(tx)));
    await expect(ended.rows('select 1')).rejects.toThrow('after the end of its transaction');
  });

  it('rolls back and runs no after-commit action if the work throws', async () => {
    let done = false;
    const refused = transactions.run(async (tx) => {
      transactions.afterCommit(tx, () => (done = true));
      await managerOf(tx).query('update account set balance = 0');
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(done).toBe(false);
    expect(await context.database.query('select sum(balance)::text as sum from account')).toEqual([
      { sum: '200.00' },
    ]);
  });

  it('runs after-commit actions outside the transaction, when its writes are visible', async () => {
    const seen = await new Promise<unknown>((resolve) => {
      void transactions.run(async (tx) => {
        transactions.afterCommit(tx, () => {
          assertNoTransaction('looking');
          resolve(context.database.query('select balance::text from account where id = 1'));
        });
        await managerOf(tx).query('update account set balance = 55 where id = 1');
      });
    });
    expect(seen).toEqual([{ balance: '55.00' }]);
  });

  it('prevents effects outside the database inside a transaction, at any depth', async () => {
    const leaving = transactions.run(async () => {
      await Promise.resolve();
      assertNoTransaction('an outbound request');
    });
    await expect(leaving).rejects.toThrow('an outbound request inside a database transaction');
    await expect(transactions.run(() => transactions.run(() => Promise.resolve()))).rejects.toThrow(
      'opening a transaction',
    );
  });

  it('reads integers and decimals as numbers, and dates as text', async () => {
    const [row] = await context
      .get(Sql)
      .rows(
        `select 9007199254740991::bigint as big, 0.1::numeric + 0.2 as sum, date '2026-02-28' as day, null::numeric as none`,
      );
    expect(row).toEqual({ big: 9007199254740991, sum: 0.3, day: '2026-02-28', none: null });
  });

  it('treats a connection lost inside a transaction as an unavailable database', async () => {
    const lost = transactions.run(async (tx) => {
      const [backend] = await managerOf(tx).query<{ pid: number }[]>('select pg_backend_pid() as pid');
      await context.database.query('select pg_terminate_backend($1)', [backend?.pid]);
      await managerOf(tx).query('select 1');
      await managerOf(tx).query('select 2');
    });
    const error: unknown = await lost.catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await transactions.run((tx) => managerOf(tx).query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('recovers after all connections were lost while callers waited for one', async () => {
    const outcomes: string[] = [];
    const ended = Date.now() + 2_000;
    const client = async () => {
      while (Date.now() < ended) {
        const work = transactions.run(async (tx) => {
          await managerOf(tx).query('select 1');
          await managerOf(tx).query('select pg_sleep(0.005)');
        });
        outcomes.push(
          await work.then(
            () => 'done',
            (error: unknown) => (isDatabaseUnavailable(error) ? 'away' : String(error)),
          ),
        );
      }
    };
    const terminator = async () => {
      while (Date.now() < ended) {
        await context.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'counterfoil-test'`,
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    await Promise.all([...Array.from({ length: 40 }, client), terminator()]);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'away']));
    expect(await transactions.run((tx) => managerOf(tx).query('select 1 as one'))).toEqual([{ one: 1 }]);
  });
});

describe('a database that refuses writes for a while', () => {
  it('counts as unavailable, and accepts writes again on new connections', async () => {
    const database = await createTestDatabase();
    const setReadOnly = (value: 'on' | 'off') =>
      database.query(
        `begin read write;
         do $$ begin execute format('alter database %I set default_transaction_read_only = ${value}',
           current_database()); end $$;
         commit`,
      );
    await setReadOnly('on');
    const dataSource = await new DataSource(
      dataSourceOptions(testConfig(database.url), 'counterfoil-test'),
    ).initialize();
    const write = (): Promise<string> =>
      dataSource
        .transaction((manager) => manager.query(`insert into rate_limit_counters values ('x')`))
        .then(
          () => 'written',
          (error: unknown) => (isDatabaseUnavailable(error) ? 'away' : String(error)),
        );
    const writes = (): Promise<string[]> => Promise.all(Array.from({ length: 5 }, write));
    try {
      expect(await writes()).toEqual(Array<string>(5).fill('away'));
      await setReadOnly('off');
      expect(await write()).toBe('written');
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });
});
