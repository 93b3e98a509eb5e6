import { setTimeout as sleep } from 'node:timers/promises';
import { type Transaction, Transactions } from '@counterfoil/kernel';
import {
  roundTripsOf,
  startTestContext,
  statementsOf,
  testConfig,
  type TestContext,
} from '@counterfoil/test-harness';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { runTogether } from './batched-query';
import { dataSourceOptions } from './data-source';
import { defer, within } from './sql';
import { statement } from './sql-statement';
import { connectionOf, managerOf, TypeOrmTransactions } from './typeorm-transactions';

const SLEEP = statement<{ readonly seconds: number }>('test: sleep', 'select pg_sleep(:seconds)::text', {
  prepared: true,
});

interface OneConnection {
  readonly transactions: TypeOrmTransactions;
  readonly dataSource: DataSource;
}

const ADD = statement<{ readonly value: string }>('test: add', 'insert into notes (value) values (:value)', {
  prepared: true,
});
const READ = statement<object, { readonly value: string }>(
  'test: read',
  'select value from notes order by id',
  {
    prepared: true,
  },
);
const DIVIDE = statement<{ readonly by: number }>('test: divide', 'select 1 / :by::int', { prepared: true });

let context: TestContext;
let transactions: Transactions;

beforeAll(async () => {
  context = await startTestContext([]);
  transactions = context.get(Transactions);
  await context.database.query('create table notes (id bigserial primary key, value text not null)');
});
afterAll(() => context.close());
beforeEach(() => context.database.query('truncate notes'));

const notes = async (): Promise<string[]> =>
  (await context.database.query<{ value: string }>('select value from notes order by id')).map(
    ({ value }) => value,
  );

/** Makes all connections prepare the statements that a transaction defers. */
async function prepare(): Promise<void> {
  const adding = Array.from({ length: 20 }, (_, number) =>
    transactions.run(async (tx) => {
      await defer(tx, ADD, { value: `${number}` });
      await defer(tx, DIVIDE, { by: 1 });
    }),
  );
  await Promise.all(adding);
  await context.database.query('truncate notes');
}

describe('a transaction', () => {
  beforeAll(prepare);

  it('sends its begin with its first statement', async () => {
    const work = () => transactions.run((tx) => within(tx).rows(READ, {}));
    expect(await roundTripsOf(work)).toBe(2);
    expect((await statementsOf(work)).map(({ text }) => text)).toEqual([
      'start transaction',
      READ.text,
      'commit',
    ]);
  });

  it('sends a deferred statement with its commit', async () => {
    const work = () =>
      transactions.run(async (tx) => {
        await within(tx).changed(ADD, { value: 'first' });
        await defer(tx, ADD, { value: 'second' });
      });
    expect(await roundTripsOf(work)).toBe(2);
    expect(await notes()).toEqual(['first', 'second']);
  });

  it('runs a deferred statement before the next one, whichever way that is sent', async () => {
    const [byStatement, byManager] = await transactions.run(async (tx) => {
      await defer(tx, ADD, { value: 'first' });
      const own = await within(tx).rows(READ, {});
      await defer(tx, ADD, { value: 'second' });
      return [own, await managerOf(tx).query<object[]>('select value from notes order by id')];
    });
    expect(byStatement).toEqual([{ value: 'first' }]);
    expect(byManager).toEqual([{ value: 'first' }, { value: 'second' }]);
  });

  it('sends nothing if it is rolled back before its first statement', async () => {
    const work = () => transactions.run(() => Promise.reject(new Error('refused'))).catch(() => undefined);
    expect(await roundTripsOf(work)).toBe(0);
  });

  it('is rolled back as a whole if a deferred statement fails, and its connection goes on', async () => {
    const failing = transactions.run(async (tx) => {
      await within(tx).changed(ADD, { value: 'first' });
      await defer(tx, DIVIDE, { by: 0 });
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await notes()).toEqual([]);
    expect(await transactions.run((tx) => within(tx).rows(READ, {}))).toEqual([]);
  });

  it('does not run a statement behind a deferred one that fails', async () => {
    const failing = transactions.run(async (tx) => {
      await defer(tx, DIVIDE, { by: 0 });
      await within(tx).changed(ADD, { value: 'behind' });
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await notes()).toEqual([]);
  });

  it('repeats its work if a deferred statement meets a serialization failure', async () => {
    const FAIL_ONCE = statement<{ readonly attempt: number }>(
      'test: fail once',
      `select fail_once(:attempt::int)`,
      { prepared: true },
    );
    await context.database.query(`create function fail_once(attempt int) returns void language plpgsql as $$
      begin if attempt = 1 then raise sqlstate '40001'; end if; end $$`);
    let attempt = 0;
    await transactions.run(async (tx) => {
      attempt += 1;
      await defer(tx, ADD, { value: `attempt ${attempt}` });
      await defer(tx, FAIL_ONCE, { attempt });
    });
    expect(attempt).toBe(2);
    expect(await notes()).toEqual(['attempt 2']);
  });

  it('refuses to defer a statement after its end', async () => {
    const ended = await transactions.run((tx) => Promise.resolve(tx));
    await expect(defer(ended, ADD, { value: 'late' })).rejects.toThrow('after the end of its transaction');
    await expect(managerOf(ended).query('select 1')).rejects.toThrow(/released/i);
  });

  it.each<['commit' | 'rollback']>([['commit'], ['rollback']])(
    'refuses statements from the beginning of its %s',
    async (outcome) => {
      let late: Promise<unknown>[] = [];
      const work = async (tx: Transaction) => {
        await within(tx).rows(READ, {});
        const connection = connectionOf(tx);
        const end = connection[outcome].bind(connection);
        jest.spyOn(connection, outcome).mockImplementation(() => {
          const ending = end();
          late = [
            within(tx).rows(READ, {}),
            defer(tx, ADD, { value: 'late' }),
            managerOf(tx).query('select 1'),
          ];
          return ending;
        });
        if (outcome === 'rollback') throw new Error('refused');
      };
      const [ended] = await Promise.allSettled([transactions.run(work)]);
      expect(ended.status).toBe(outcome === 'commit' ? 'fulfilled' : 'rejected');
      const outcomes = await Promise.allSettled(late);
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(await notes()).toEqual([]);
    },
  );

  it('cannot defer a statement that connections do not prepare', async () => {
    const plain = statement<object>('test: plain', 'select 1');
    await expect(transactions.run((tx) => defer(tx, plain, {}))).rejects.toThrow('not prepared');
  });

  it('fails if its work went on after a statement had failed', async () => {
    const swallowing = transactions.run(async (tx) => {
      await within(tx).changed(ADD, { value: 'first' });
      await within(tx)
        .rows('select 1 / 0')
        .catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('rolled back');
    expect(await notes()).toEqual([]);
  });
});

describe('errors of deferred statements', () => {
  const UNIQUE = statement<{ readonly value: string }>(
    'test: unique',
    'insert into names (value) values (:value)',
    { prepared: true },
  );
  const taken = (error: unknown): unknown =>
    (error as { constraint?: string }).constraint === 'names_pkey' ? new Error('taken') : error;
  const other = (error: unknown): unknown =>
    (error as { constraint?: string }).constraint === 'others_pkey' ? new Error('wrong') : error;

  beforeAll(async () => {
    await context.database.query('create table names (value text primary key)');
    await context.database.query(`insert into names values ('a')`);
    const preparing = Array.from({ length: 20 }, (_, number) =>
      transactions.run((tx) => defer(tx, UNIQUE, { value: `${number}` })),
    );
    await Promise.all(preparing);
    await prepare();
  });

  it.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['by the commit', () => Promise.resolve()],
    ['by the next statement', (tx) => within(tx).rows(READ, {})],
    ['by a statement of TypeORM', (tx) => managerOf(tx).query('select 1')],
    ['by a deferred statement behind it', (tx) => defer(tx, ADD, { value: 'behind' }, other)],
  ])('are translated and thrown %s', async (_, next) => {
    const failing = transactions.run(async (tx) => {
      await defer(tx, ADD, { value: 'before' }, other);
      await defer(tx, UNIQUE, { value: 'a' }, taken);
      await next(tx);
    });
    await expect(failing).rejects.toThrow('taken');
    expect(await notes()).toEqual([]);
  });

  it('lead to the caller by their stack', async () => {
    const failing = async function aCaller() {
      await transactions.run((tx) => defer(tx, DIVIDE, { by: 0 }));
    };
    const error: unknown = await failing().catch((thrown: unknown) => thrown);
    expect((error as Error).stack).toContain('aCaller');
  });
});

describe('a connection', () => {
  const FAIL_ONCE = statement<{ readonly attempt: number }>(
    'test: fail once, all deferred',
    'select fail_once(:attempt::int)',
    { prepared: true },
  );

  /** Runs `work` with a pool of one connection, which has prepared the statements that are deferred. */
  async function onOneConnection(work: (one: OneConnection) => Promise<void>): Promise<void> {
    const options = dataSourceOptions(testConfig(context.database.url), 'counterfoil-one');
    const dataSource = await new DataSource({ ...options, poolSize: 1 } as DataSourceOptions).initialize();
    const one = new TypeOrmTransactions(dataSource);
    try {
      await one.run(async (tx) => {
        await defer(tx, ADD, { value: 'prepared' });
        await defer(tx, FAIL_ONCE, { attempt: 2 });
        await defer(tx, SLEEP, { seconds: 0 });
      });
      await context.database.query('truncate notes');
      await work({ transactions: one, dataSource });
    } finally {
      await dataSource.destroy();
    }
  }

  beforeAll(() =>
    context.database
      .query(`create or replace function fail_once(attempt int) returns void language plpgsql as $$
      begin if attempt = 1 then raise sqlstate '40001'; end if; end $$`),
  );

  it('is rolled back if all statements were deferred and one fails, so that the work can be repeated', () =>
    onOneConnection(async ({ transactions: one }) => {
      let attempt = 0;
      await one.run(async (tx) => {
        attempt += 1;
        await defer(tx, ADD, { value: `attempt ${attempt}` });
        await defer(tx, FAIL_ONCE, { attempt });
      });
      expect(attempt).toBe(2);
      expect(await notes()).toEqual(['attempt 2']);
    }));

  it('runs no statement outside of a transaction whose begin fails', () =>
    onOneConnection(async ({ transactions: one, dataSource }) => {
      const pool = (dataSource.driver as unknown as { readonly master: pg.Pool }).master;
      const client = await pool.connect();
      // The server forgets the prepared begin, so it fails as if it had been cancelled.
      await client.query('deallocate "transaction: begin"');
      client.release();
      const failing = one.run((tx) =>
        Promise.allSettled([
          within(tx).changed(ADD, { value: 'first' }),
          within(tx).changed(ADD, { value: 'second' }),
          managerOf(tx).query(`insert into notes (value) values ('third')`),
        ]).then(() => within(tx).changed(ADD, { value: 'later' })),
      );
      await expect(failing).rejects.toThrow('does not exist');
      expect(await notes()).toEqual([]);
    }));

  it.each<[string, Record<'before' | 'waiting', (tx: Transaction) => Promise<unknown>>]>([
    [
      'its begin',
      {
        before: () => Promise.resolve(),
        waiting: (tx) =>
          Promise.all([
            within(tx).rows(SLEEP, { seconds: 0.3 }),
            within(tx).changed(ADD, { value: 'behind' }),
          ]),
      },
    ],
    [
      'a deferred one',
      {
        before: async (tx) => {
          await within(tx).rows(READ, {});
          await defer(tx, SLEEP, { seconds: 0.3 });
        },
        waiting: (tx) => managerOf(tx).query(`insert into notes (value) values ('behind')`),
      },
    ],
  ])('runs no statement that waits for %s when the work fails', (_, { before, waiting }) =>
    onOneConnection(async ({ transactions: one }) => {
      let outcome: Promise<unknown> = Promise.resolve();
      const failing = one.run(async (tx) => {
        await before(tx);
        outcome = Promise.allSettled([waiting(tx)]);
        await sleep(100);
        throw new Error('refused');
      });
      await expect(failing).rejects.toThrow('refused');
      await outcome;
      await one.run((tx) => within(tx).rows(READ, {}));
      expect(await notes()).toEqual([]);
    }),
  );

  it('prepares a statement that is deferred while the begin is under way', () =>
    onOneConnection(async ({ transactions: one }) => {
      const [late, later] = ['late', 'later'].map((name) =>
        statement<{ readonly value: string }>(`test: ${name}`, 'insert into notes (value) values (:value)', {
          prepared: true,
        }),
      );
      for (let round = 0; round < 2; round++)
        await one.run((tx) =>
          Promise.all([
            within(tx).rows(READ, {}),
            within(tx).rows(READ, {}),
            defer(tx, late!, { value: 'late' }),
            defer(tx, later!, { value: 'later' }),
            defer(tx, ADD, { value: 'last' }),
          ]),
        );
      expect((await notes()).sort()).toEqual(['last', 'last', 'late', 'late', 'later', 'later']);
    }));

  it('goes on after values that cannot be encoded', () =>
    onOneConnection(async ({ transactions: one }) => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const failing = one.run(async (tx) => {
        await defer(tx, ADD, { value: 'before' });
        await within(tx).rows('select $1::json', [circular]);
      });
      await expect(failing).rejects.toThrow(/circular/i);
      expect(await one.run((tx) => within(tx).rows(READ, {}))).toEqual([]);
    }));

  it('can begin with a savepoint', () =>
    onOneConnection(async ({ transactions: one }) => {
      await one.run(async (tx) => {
        await managerOf(tx).query('savepoint here');
        await within(tx)
          .rows('select 1 / 0')
          .catch(() => managerOf(tx).query('rollback to savepoint here'));
        await within(tx).changed(ADD, { value: 'after' });
      });
      expect(await notes()).toEqual(['after']);
    }));
});

describe('statements in one message', () => {
  let client: pg.PoolClient;
  let pool: pg.Pool;

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: context.database.url, max: 1 });
    client = await pool.connect();
  });
  afterAll(async () => {
    client.release();
    await pool.end();
  });

  const insert = (value: string) => ({ text: 'insert into notes (value) values ($1)', values: [value] });

  it('returns the rows and types of the last one only', async () => {
    const leading = [{ text: 'select generate_series(1, 3)', values: [] }, insert('leading')];
    const { rows, rowCount } = await runTogether(client, leading, { text: 'select 2::int as two' });
    expect({ rows, rowCount }).toEqual({ rows: [{ two: 2 }], rowCount: 1 });
    expect(await notes()).toEqual(['leading']);
  });

  it('runs none behind one that fails, so nothing is written outside of a transaction', async () => {
    const begin = { text: 'start transaction isolation level nonsense', values: [] };
    await expect(runTogether(client, [begin], insert('outside'))).rejects.toThrow(/syntax/);
    const broken = { text: 'select 1 / 0', values: [] };
    await expect(runTogether(client, [broken], insert('behind'))).rejects.toThrow(/division/);
    expect(await notes()).toEqual([]);
  });

  it('prepares a named statement after a failure to prepare it', async () => {
    const begin = { name: 'test: begin', text: 'start transaction' };
    await client.query(begin);
    await client.query('rollback');
    const named = { name: 'test: later', text: 'select count(*)::int as count from later' };
    const leading = [{ ...begin, values: [] }];
    await expect(runTogether(client, leading, named)).rejects.toThrow(/does not exist/);
    await client.query('rollback');
    await context.database.query('create table later (id int)');
    for (let time = 0; time < 2; time++) {
      expect((await runTogether(client, leading, named)).rows).toEqual([{ count: 0 }]);
      await client.query('rollback');
    }
  });

  it('prepares a named statement after a leading one has failed', async () => {
    const broken = { name: 'test: broken', text: 'select 1 / $1::int' };
    await client.query({ ...broken, values: [1] });
    const named = { name: 'test: unread', text: 'select 7 as seven' };
    const leading = [{ ...broken, values: [0] }];
    await expect(runTogether(client, leading, named)).rejects.toThrow(/division/);
    expect((await client.query(named)).rows).toEqual([{ seven: 7 }]);
  });

  it('sends nothing if the driver refuses the last one', async () => {
    const named = { name: 'test: two texts', text: 'select 1 as one' };
    await client.query(named);
    const failing = runTogether(client, [insert('leading')], { ...named, text: 'select 2' });
    await expect(failing).rejects.toThrow('must be unique');
    expect(await notes()).toEqual([]);
    expect((await client.query(named)).rows).toEqual([{ one: 1 }]);
  });

  it('passes on values of any type, and what cannot be encoded', async () => {
    const values = [new Date(0), Buffer.from('x'), [1, 2], { a: 1 }, null, true];
    const keep = {
      text: 'select $1::timestamptz, $2::bytea, $3::int[], $4::json, $5::text, $6::bool',
      values,
    };
    await runTogether(client, [keep], { text: 'select 1' });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const unsendable = { text: 'select $1::json', values: [circular] };
    await expect(runTogether(client, [unsendable], insert('behind'))).rejects.toThrow(/circular/i);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await notes()).toEqual([]);
  });
});
