import { startTestContext, statementsOf, type TestContext } from '@counterfoil/test-harness';
import { CompanyDataModule } from './company-data.module';
import type { CompanyTable } from './company-table';
import { EraseCompanyTables, type ErasureProgress } from './erase-company-tables';
import { BATCH, WINDOW } from './erasure-steps.sql';

const [COMPANY, OTHER] = [7, 8];

/** Receipts stay while a cost refers to them. No index finds the notices of a company. */
const TABLES: readonly CompanyTable[] = [
  { table: 'test_receipts', erasure: { why: 'a test', removes: true, sets: { label: 'null' } } },
  { table: 'test_costs', erasure: { why: 'a test' } },
  { table: 'test_notices', erasure: { why: 'a test', removes: true, scans: 'sequence' } },
  {
    table: 'test_orders',
    erasure: {
      ...{ why: 'a test', scans: 'id', sets: { label: `'gone'` } },
      waitsFor: { rows: 't.is_open', what: 'open orders' },
    },
  },
];

const SCHEMA = `
  create table test_receipts (id bigint generated always as identity primary key, company_id bigint not null, label text);
  create index on test_receipts (company_id, id);
  create table test_costs (
    id bigint generated always as identity primary key, company_id bigint not null,
    receipt_id bigint references test_receipts
  );
  create index on test_costs (company_id, receipt_id);
  create table test_notices (sequence bigint generated always as identity primary key, company_id bigint not null);
  create table test_orders (
    id bigint generated always as identity primary key, company_id bigint not null, label text,
    is_open boolean not null default false
  );
  grant all on test_receipts, test_costs, test_notices, test_orders to public`;

let context: TestContext;

beforeAll(async () => {
  context = await startTestContext([CompanyDataModule]);
  await context.database.query(SCHEMA);
});
afterAll(() => context.close());
beforeEach(() =>
  context.database.query('truncate test_receipts, test_costs, test_notices, test_orders restart identity'),
);

const insert = (table: string, companyId: number, count: number) =>
  context.database.query(
    `insert into ${table} (company_id) select ${companyId} from generate_series(1, ${count})`,
  );

async function idsOf(table: string, companyId: number, key = 'id'): Promise<number[]> {
  const sql = `select ${key}::int as id from ${table} where company_id = $1 order by 1`;
  return (await context.database.query<{ id: number }>(sql, [companyId])).map(({ id }) => id);
}

async function erase(signal = new AbortController().signal): Promise<ErasureProgress[]> {
  const reported: ErasureProgress[] = [];
  await context.get(EraseCompanyTables).execute(COMPANY, TABLES, signal, (state) => reported.push(state));
  return reported;
}

/** The keys behind which the steps of a table began, in the first pass over it. */
async function keysOf(table: string, kind: 'delete from' | 'update'): Promise<number[]> {
  const sent = await statementsOf(() => erase());
  const keys = sent.filter(({ text }) => text.includes(`${kind} ${table} `)).map(({ values }) => values[1]);
  const second = keys.indexOf('0', 1);
  return keys.slice(0, second < 0 ? undefined : second).map(Number);
}

describe('an erasure', () => {
  it('removes the rows to which none refers, in batches, and counts those that stay', async () => {
    await insert('test_receipts', COMPANY, 3 * BATCH);
    await insert('test_receipts', OTHER, 10);
    await context.database.query(
      `insert into test_costs (company_id, receipt_id) values (${COMPANY}, 1), (${COMPANY}, 700)`,
    );
    const reported = await erase();
    const removed = reported.filter(({ table }) => table === 'test_receipts').map((state) => state.removed);
    expect(removed).toEqual([BATCH, 2 * BATCH, 3 * BATCH - 2]);
    expect(await idsOf('test_receipts', COMPANY)).toEqual([1, 700]);
    expect(await idsOf('test_receipts', OTHER)).toHaveLength(10);
    expect(await context.get(EraseCompanyTables).kept(COMPANY, TABLES)).toEqual({
      ...{ test_receipts: 2, test_costs: 2 },
    });
  });

  it('passes over the rows that stay once in each pass, however many there are', async () => {
    await insert('test_receipts', COMPANY, 3 * WINDOW);
    await context.database.query(
      `insert into test_costs (company_id, receipt_id) select company_id, id from test_receipts`,
    );
    await insert('test_receipts', COMPANY, 2 * BATCH);
    const keys = await keysOf('test_receipts', 'delete from');
    expect(keys).toEqual([0, WINDOW, 2 * WINDOW, 3 * WINDOW, 3 * WINDOW + BATCH, 3 * WINDOW + 2 * BATCH]);
    expect(await idsOf('test_receipts', COMPANY)).toHaveLength(3 * WINDOW);
  });

  it.each([
    ['removes', 'test_notices', 'delete from', 'sequence'],
    ['changes', 'test_orders', 'update', 'id'],
  ] as const)(
    '%s rows that no index finds, and reads a bounded number at a time',
    async (_, table, kind, key) => {
      await insert(table, OTHER, 2 * WINDOW);
      await insert(table, COMPANY, 1);
      await insert(table, OTHER, WINDOW);
      expect(await keysOf(table, kind)).toEqual([0, WINDOW, 2 * WINDOW, 3 * WINDOW]);
      expect(await idsOf(table, OTHER, key)).toHaveLength(3 * WINDOW);
      const left = await context.database.query(`select * from ${table} where company_id = ${COMPANY}`);
      expect(left).toEqual(kind === 'update' ? [expect.objectContaining({ label: 'gone' })] : []);
    },
  );

  it('names what must end before it', async () => {
    const unfinished = () => context.get(EraseCompanyTables).unfinished(COMPANY, TABLES);
    await context.database.query(`insert into test_orders (company_id, is_open) values (${OTHER}, true)`);
    expect(await unfinished()).toEqual([]);
    await context.database.query(`insert into test_orders (company_id, is_open) values (${COMPANY}, true)`);
    expect(await unfinished()).toEqual(['open orders']);
  });

  it('stops after the batch during which its signal aborts', async () => {
    await insert('test_receipts', COMPANY, 3 * BATCH);
    const interruption = new AbortController();
    const stopped = context.get(EraseCompanyTables).execute(COMPANY, TABLES, interruption.signal, () => {
      interruption.abort(new Error('stopped'));
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await idsOf('test_receipts', COMPANY)).toHaveLength(2 * BATCH);
  });

  it('fails if something still writes', async () => {
    await context.database.query(`
      create function test_write_again() returns trigger language plpgsql as $$
        begin insert into test_notices (company_id) values (old.company_id); return null; end $$;
      create trigger test_again after delete on test_notices for each row execute function test_write_again()`);
    try {
      await insert('test_notices', COMPANY, 1);
      await expect(erase()).rejects.toThrow('something still writes data of company 7: repeat the command');
    } finally {
      await context.database.query('drop trigger test_again on test_notices');
    }
    await erase();
    expect(await idsOf('test_notices', COMPANY, 'sequence')).toEqual([]);
  });
});
