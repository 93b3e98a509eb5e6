import { IdentityModule } from '@counterfoil/identity';
import { BEGINNING_MAX, ListSql } from '@counterfoil/lists';
import {
  describeListPlans,
  planOf,
  type PlanNode,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { EntityList, EntitySort } from '../../application/ports/entity.reader';
import { PartiesModule } from '../../parties.module';
import { givenCaller } from '../../testing/given-entities';
import { seedVendors } from '../../testing/many-vendors';
import { ENTITY_LISTS } from './entity.list';

const VENDORS = 40_000;
const SMALL = 200;
const BY_ID: EntitySort = { by: 'id', descending: false };

/** What the statements of a list do in the database. */
describe('on many vendors', () => {
  let context: TestContext;
  let companyId: number;
  let smallId: number;

  beforeAll(async () => {
    context = await startTestContext([IdentityModule, PartiesModule]);
    companyId = (await givenCaller(context)).companyId;
    smallId = (await givenCaller(context)).companyId;
    await seedVendors(context.database, { companyId: smallId, count: SMALL });
    await seedVendors(context.database, { companyId, count: VENDORS });
  }, 120_000);
  afterAll(() => context.close());

  describeListPlans({
    list: ENTITY_LISTS.vendor,
    on: () => ({ database: context.database, scope: companyId }),
    // A count is judged by its first rows alone.
    filters: {
      type: ['PATOOR', BEGINNING_MAX + 150],
      hasContacts: [true, 5 * BEGINNING_MAX],
      email: ['office20000@example1.co.il', 50],
      taxId: ['510000777', 50],
      search: ['510039', VENDORS / 10],
    },
  });

  const list = (more: Partial<EntityList> = {}, company = companyId) =>
    new ListSql(ENTITY_LISTS.vendor, company, { filter: {}, sort: BY_ID, ...more });
  const scans = async ([sql, parameters]: readonly [string, readonly unknown[]]) =>
    (await planOf(context.database, sql, parameters)).filter((node) => node['Node Type'].includes('Scan'));
  const indexes = (nodes: readonly PlanNode[]) => nodes.map((node) => node['Index Name']).filter(Boolean);
  const rows = (nodes: readonly PlanNode[]) =>
    nodes.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);

  const orders = (['id', 'name', 'email', 'taxId', 'type'] as const).flatMap((by) =>
    [false, true].map((descending): [EntitySort, string] => [
      { by, descending },
      by === 'id' ? 'entities_vendors' : `entities_vendors_${by === 'taxId' ? 'tax_id' : by}`,
    ]),
  );

  it.each(orders)('the order %j is read from %s alone, as far as the page goes', async (sort, index) => {
    const window = { limit: 50, offset: 100 };
    const seen = await scans(list({ sort }).walk(VENDORS, window));
    expect(indexes(seen)).toEqual([index]);
    expect(seen.map((node) => node['Heap Fetches'])).toContain(0);
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(150);
  });

  it.each(orders)('the last page of the order %j is read from the end of it', async (sort, index) => {
    const window = { limit: 50, offset: VENDORS - 50 };
    const seen = await scans(list({ sort }).walk(VENDORS, window));
    expect(indexes(seen)).toEqual([index]);
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(50);
  });

  it('what is filtered by type and contacts is skipped in the index alone', async () => {
    const filter = { type: 'PATOOR', hasContacts: true } as const;
    const sort = { by: 'name', descending: false } as const;
    const seen = await scans(list({ filter, sort }).walk(3_000, { limit: 50, offset: 1_400 }));
    expect(seen.every((node) => node['Heap Fetches'] === undefined || node['Heap Fetches'] === 0)).toBe(true);
    expect(indexes(seen).length).toBeGreaterThan(0);
  });

  it('a list that is counted is looked at by its first rows and its count', async () => {
    const seen = await scans(list({ sort: { by: 'name', descending: true } }).look());
    expect(indexes(seen)).toContain('entities_vendors_name');
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(BEGINNING_MAX);
  });

  it.each(['999', 'שפירא', '510039', 'office777@'])(
    'a search for %s looks at little more than it finds',
    async (search) => {
      const seen = await scans(list({ filter: { search } }).look());
      expect(seen.map((node) => node['Node Type'])).toContain('Function Scan');
      expect(Math.max(...rows(seen))).toBeLessThan(VENDORS / 10);
      expect(seen.map((node) => node['Relation Name'])).not.toContain('entities');
    },
  );

  it.each(['510', '510039'])(
    'what %s is in is looked up by the index alone, however much it is',
    async (term) => {
      const [scanned] = await context.database.query<Record<'found' | 'index' | 'before' | 'after', number>>(
        `select pg_stat_get_xact_numscans('entities'::regclass)::int as before,
                (select count(*)::int from search_entities($1, $2)) as found,
                pg_stat_get_xact_numscans('entities_search'::regclass)::int as index,
                pg_stat_get_xact_numscans('entities'::regclass)::int as after`,
        [companyId, term],
      );
      expect(scanned!.index).toBeGreaterThan(0);
      expect(scanned!.after).toBe(scanned!.before);
      expect(scanned!.found).toBeGreaterThan(0);
    },
  );

  it('a search of a small company looks at nothing of a large one', async () => {
    const seen = await scans(list({ filter: { search: 'שפירא' } }, smallId).look());
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(SMALL);
  });

  it.each([
    ['email', 'office20000@example1.co.il', 'entities_vendors_email'],
    ['taxId', '510000777', 'entities_vendors_tax_id'],
  ])('the filter %s is found by its index', async (field, value, index) => {
    const seen = await scans(list({ filter: { [field]: value } }).look());
    const entities = seen.filter((node) => node['Relation Name'] !== 'entity_counts');
    expect(indexes(entities)).toEqual([index]);
    expect(Math.max(...rows(entities))).toBeLessThanOrEqual(1);
  });

  it('the rows of a page are found by their ids, one by one', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index * 100 + 1_000);
    const seen = await scans([list().byIds.text, [companyId, ids]]);
    expect(
      seen.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    ).not.toContain('entities');
    const entities = seen.filter((node) => node['Relation Name'] === 'entities');
    expect(rows(entities)).toEqual([50]);
  });
});
