import { IdentityModule } from '@counterfoil/identity';
import { BEGINNING_MAX, ListSql, type WalkedRow } from '@counterfoil/lists';
import {
  describeListPlans,
  planOf,
  type PlanNode,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import {
  COMBINED_SORTS,
  EXPENSE_SORTS,
  type ExpenseFilter,
  type ExpenseList,
} from '../../application/ports/expense.reader';
import { ExpensesModule } from '../../expenses.module';
import { givenCaller } from '../../testing/given-expense';
import { seedExpenses } from '../../testing/many-expenses';
import { EXPENSES_AND_INVOICES, EXPENSES } from './expense.list';

const MANY = { vendors: 3_000, expenses: 24_000, supplierInvoices: 6_000 };
const SMALL = { vendors: 5, expenses: 200, supplierInvoices: 50 };
const ALL = MANY.expenses + MANY.supplierInvoices * 0.95;

/** Captures the statements of a list, and runs them again with EXPLAIN. */
describe('with many expenses and supplier invoices', () => {
  let context: TestContext;
  let companyId: number;
  let smallId: number;
  /** A vendor of a company with few expenses. */
  let vendorId: number;

  beforeAll(async () => {
    context = await startTestContext([IdentityModule, ExpensesModule]);
    companyId = (await givenCaller(context)).companyId;
    smallId = (await givenCaller(context)).companyId;
    await seedExpenses(context.database, { companyId: smallId, ...SMALL });
    await seedExpenses(context.database, { companyId, ...MANY });
    const [vendor] = await context.database.query<{ id: number }>(
      'select entity_id::int as id from expenses where company_id = $1 group by 1 order by count(*), 1 limit 1',
      [companyId],
    );
    vendorId = vendor!.id;
  }, 120_000);
  afterAll(() => context.close());

  const filters = {
    vendorId: [() => vendorId, 200],
    startDate: ['2100-01-01', 50],
    endDate: ['1990-01-01', 50],
    search: ['R-100077', MANY.expenses / 10],
  } as const;
  const on = () => ({ database: context.database, scope: companyId });
  describeListPlans({ list: EXPENSES, on, filters });
  describeListPlans({ list: EXPENSES_AND_INVOICES, on, filters });

  const own = (by: (typeof EXPENSE_SORTS)[number] = 'date', descending = true): ExpenseList => ({
    filter: {},
    sort: { by, descending },
    withSupplierInvoices: false,
  });
  const all = (by: (typeof COMBINED_SORTS)[number] = 'date', descending = true): ExpenseList => ({
    filter: {},
    sort: { by, descending },
    withSupplierInvoices: true,
  });
  const sql = (list: ExpenseList, filter: ExpenseFilter = {}, company = companyId) =>
    list.withSupplierInvoices
      ? new ListSql(EXPENSES_AND_INVOICES, company, { ...list, filter })
      : new ListSql(EXPENSES, company, { ...list, filter });
  const scans = async ([text, parameters]: readonly [string, readonly unknown[]]) =>
    (await planOf(context.database, text, parameters)).filter(
      (node) => node['Node Type'].includes('Scan') && !/_counts$/.test(node['Relation Name'] ?? ''),
    );
  const indexes = (nodes: readonly PlanNode[]) => nodes.map((node) => node['Index Name']).filter(Boolean);
  const rows = (nodes: readonly PlanNode[]) =>
    nodes.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);

  async function walk(list: ExpenseList, ...way: Parameters<ReturnType<typeof sql>['walk']>) {
    const [text, parameters] = sql(list).walk(...way);
    return context.database.query<WalkedRow>(text, [...parameters]);
  }

  const ownOrders = EXPENSE_SORTS.flatMap((by) => [true, false].map((descending) => own(by, descending)));
  const allOrders = COMBINED_SORTS.flatMap((by) => [true, false].map((descending) => all(by, descending)));

  it.each([...ownOrders, ...allOrders])(
    'the order of %j is read only from its indexes, no further than the page',
    async (list) => {
      const seen = await scans(sql(list).walk(ALL, { limit: 50, offset: 100 }));
      const tables = list.withSupplierInvoices ? ['expenses', 'supplier_invoices'] : ['expenses'];
      expect(seen.filter((node) => node['Node Type'] === 'Index Only Scan')).toHaveLength(tables.length);
      // The last page of a table may not be marked as all-visible.
      expect(Math.max(...seen.map((node) => node['Heap Fetches'] ?? 0))).toBeLessThan(50);
      expect(Math.max(...rows(seen))).toBeLessThanOrEqual(151);
      const look = await scans(sql(list).look());
      expect(Math.max(...rows(look))).toBeLessThanOrEqual(BEGINNING_MAX + 1);
    },
  );

  it.each([...ownOrders, ...allOrders])(
    'a page in the middle of %j equals that of a full sort',
    async (list) => {
      const { by, descending } = list.sort;
      const column =
        { deductableTax: 'deductable_tax', isEquipment: 'is_equipment', title: 'title_key' }[by as string] ??
        by;
      const key = list.withSupplierInvoices ? 'id * 2' : 'id';
      const sides = [`select ${key} as key, ${column} as sorted from expenses where company_id = $1`];
      if (list.withSupplierInvoices) {
        sides.push(
          `select id * 2 + 1, ${column} from supplier_invoices where company_id = $1 and not cancelled`,
        );
      }
      const direction = descending ? 'desc' : 'asc';
      const keys = (
        await context.database.query<{ key: number }>(
          `select key::int from (${sides.join(' union all ')}) costs
          order by sorted ${direction}, key ${direction}`,
          [companyId],
        )
      ).map(({ key }) => key);
      for (const offset of [BEGINNING_MAX + 1, Math.floor(keys.length / 2), keys.length - 30]) {
        const page = { limit: 50, offset };
        const walked = await walk(list, keys.length, page);
        expect(walked.map(({ id }) => Number(id))).toEqual(keys.slice(offset, offset + 50));
      }
      const at = Math.floor(keys.length / 2);
      const [first] = await walk(list, keys.length, { limit: 1, offset: at });
      const position = { offset: at, keys: sql(list).keysOf(first!) as string[] };
      for (const offset of [at + 300, at - 300]) {
        const page = { limit: 50, offset };
        const walked = await walk(list, keys.length, page, position);
        expect(walked.map(({ id }) => Number(id))).toEqual(keys.slice(offset, offset + 50));
        const seen = await scans(sql(list).walk(keys.length, page, position));
        expect(Math.max(...rows(seen))).toBeLessThanOrEqual(351);
      }
    },
  );

  it.each([own(), all()])('the last page of %j is read from the end of the index', async (list) => {
    const total = list.withSupplierInvoices ? ALL : MANY.expenses;
    const seen = await scans(sql(list).walk(total, { limit: 50, offset: total - 50 }));
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(51);
  });

  it('the totals are exact', async () => {
    const [counts] = await context.database.query(
      `select expenses::int, supplier_invoices::int as invoices
         from cost_counts join supplier_invoice_counts using (company_id) where company_id = $1`,
      [companyId],
    );
    expect(counts).toEqual({ expenses: MANY.expenses, invoices: ALL - MANY.expenses });
  });

  it('rows are read only by their ids, with their names', async () => {
    for (const list of [sql(own()), sql(all())]) {
      const [text, parameters] = list.walk(MANY.expenses, { limit: 50, offset: 0 });
      const keys = (await context.database.query<{ id: string }>(text, [...parameters])).map(({ id }) =>
        Number(id),
      );
      const byIds = list.byIds.query({ scope: companyId, ids: keys });
      const found = await scans([byIds.text, byIds.values]);
      expect(found.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      expect(Math.max(...rows(found))).toBeLessThanOrEqual(50);
    }
  });

  it.each([own(), all()])('in %j a vendor is found by index', async (list) => {
    const [vendor] = await context.database.query<{ id: number; n: number }>(
      `select entity_id::int as id, count(*)::int as n from expenses where company_id = $1 group by 1
        order by 2 desc limit 1`,
      [companyId],
    );
    const seen = await scans(sql(list, { vendorId: vendor!.id }).look());
    expect(indexes(seen)).toContain('expenses_vendor');
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(vendor!.n * 1.3);
    expect(seen.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  });

  it.each([own(), all()])('in %j a month is found by index', async (list) => {
    const seen = await scans(sql(list, { startDate: '2024-03-01', endDate: '2024-03-31' }).look());
    expect(indexes(seen)).toContain('expenses_date');
    expect(Math.max(...rows(seen))).toBeLessThan(MANY.expenses / 40);
    expect(seen.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  });

  it.each([own(), all()])('a search in %j reads little more than its matches', async (list) => {
    const seen = await scans(sql(list, { search: 'R-100077' }).look());
    expect(seen.map((node) => node['Node Type'])).toContain('Function Scan');
    expect(Math.max(...rows(seen))).toBeLessThan(MANY.expenses / 10);
    expect(seen.map((node) => node['Relation Name'])).not.toContain('expenses');
  });

  it.each([own(), all()])('a search of a small company in %j reads nothing of a large one', async (list) => {
    const seen = await scans(sql(list, { search: 'רכבת' }, smallId).look());
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(SMALL.expenses);
  });
});
