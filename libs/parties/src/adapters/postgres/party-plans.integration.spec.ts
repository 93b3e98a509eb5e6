import { IdentityModule } from '@counterfoil/identity';
import { BEGINNING_MAX, ListSql, type WalkedRow } from '@counterfoil/lists';
import {
  describeListPlans,
  planOf,
  type PlanNode,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { PartyList, PartySort } from '../../application/ports/party.reader';
import { PartiesModule } from '../../parties.module';
import { givenCaller } from '../../testing/given-parties';
import { seedVendors } from '../../testing/many-vendors';
import { PARTY_LISTS } from './party.list';

const VENDORS = 40_000;
const SMALL = 200;
const BY_ID: PartySort = { by: 'id', descending: false };

describe('the query plans of the vendor list', () => {
  let context: TestContext;
  let companyId: number;
  let smallId: number;
  let last: number;

  beforeAll(async () => {
    context = await startTestContext([IdentityModule, PartiesModule]);
    companyId = (await givenCaller(context)).companyId;
    smallId = (await givenCaller(context)).companyId;
    await seedVendors(context.database, { companyId: smallId, count: SMALL });
    await seedVendors(context.database, { companyId, count: VENDORS });
    const [row] = await context.database.query<{ id: number }>('select max(id)::int as id from entities');
    last = row!.id;
  }, 120_000);
  afterAll(() => context.close());

  describeListPlans({
    list: PARTY_LISTS.vendor,
    on: () => ({ database: context.database, scope: companyId }),
    // Rows that the list may look at; it decides how to count from the first BEGINNING_MAX rows alone.
    filters: {
      id: [() => last, 50],
      type: ['PATOOR', BEGINNING_MAX + 150],
      hasContacts: [true, 5 * BEGINNING_MAX],
      email: ['office20000@example1.co.il', 50],
      taxId: ['510000777', 50],
      search: ['510039', VENDORS / 10],
    },
  });

  const list = (more: Partial<PartyList> = {}, company = companyId) =>
    new ListSql(PARTY_LISTS.vendor, company, { filter: {}, sort: BY_ID, ...more });
  const scans = async ([sql, parameters]: readonly [string, readonly unknown[]]) =>
    (await planOf(context.database, sql, parameters)).filter((node) => node['Node Type'].includes('Scan'));
  const indexes = (nodes: readonly PlanNode[]) => nodes.map((node) => node['Index Name']).filter(Boolean);
  const rows = (nodes: readonly PlanNode[]) =>
    nodes.map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);

  const orders = (['id', 'name', 'email', 'taxId', 'type'] as const).flatMap((by) =>
    [false, true].map((descending): [PartySort, string] => [
      { by, descending },
      by === 'id' ? 'entities_vendors' : `entities_vendors_${by === 'taxId' ? 'tax_id' : by}`,
    ]),
  );

  it.each(orders)('reads the order %j from %s alone, no further than the page', async (sort, index) => {
    const window = { limit: 50, offset: 100 };
    const seen = await scans(list({ sort }).walk(VENDORS, window));
    expect(indexes(seen)).toEqual([index]);
    expect(seen.map((node) => node['Heap Fetches'])).toContain(0);
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(150);
  });

  it.each(orders)('reads the last page of the order %j from the end of the index', async (sort, index) => {
    const window = { limit: 50, offset: VENDORS - 50 };
    const seen = await scans(list({ sort }).walk(VENDORS, window));
    expect(indexes(seen)).toEqual([index]);
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(50);
  });

  it.each(orders)('continues the order %j at a position of %s, in both directions', async (sort, index) => {
    const at = VENDORS / 4;
    const walked = list({ sort });
    const [text, parameters] = walked.walk(VENDORS, { limit: 1, offset: at });
    const [row] = await context.database.query<WalkedRow>(text, [...parameters]);
    const position = { offset: at, keys: walked.keysOf(row!).map((key) => key!) };
    // Vendors without an e-mail address come first in descending order, and have no position.
    if (sort.by === 'email' && sort.descending) return expect(position.keys).toContain(null);
    for (const offset of [at + 500, at - 500]) {
      const seen = await scans(walked.walk(VENDORS, { limit: 50, offset }, position));
      expect(indexes(seen)).toEqual([index]);
      expect(seen.map((node) => node['Heap Fetches'])).toContain(0);
      expect(Math.max(...rows(seen))).toBeLessThanOrEqual(550);
    }
  });

  it('skips rows by type and contacts without fetching them from the table', async () => {
    const filter = { type: 'PATOOR', hasContacts: true } as const;
    const sort = { by: 'name', descending: false } as const;
    const seen = await scans(list({ filter, sort }).walk(3_000, { limit: 50, offset: 1_400 }));
    expect(seen.every((node) => node['Heap Fetches'] === undefined || node['Heap Fetches'] === 0)).toBe(true);
    expect(indexes(seen).length).toBeGreaterThan(0);
  });

  it('reads only the first rows of a list whose total is kept', async () => {
    const seen = await scans(list({ sort: { by: 'name', descending: true } }).look());
    expect(indexes(seen)).toContain('entities_vendors_name');
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(BEGINNING_MAX);
  });

  it.each(['999', 'שפירא', '510039', 'office777@'])(
    'reads little more rows than a search for %s finds',
    async (search) => {
      const seen = await scans(list({ filter: { search } }).look());
      expect(seen.map((node) => node['Node Type'])).toContain('Function Scan');
      expect(Math.max(...rows(seen))).toBeLessThan(VENDORS / 10);
      expect(seen.map((node) => node['Relation Name'])).not.toContain('entities');
    },
  );

  it.each(['510', '510039'])('looks %s up by the index alone, however many rows match', async (term) => {
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
  });

  it("does not read a large company's rows for the search of a small one", async () => {
    const seen = await scans(list({ filter: { search: 'שפירא' } }, smallId).look());
    expect(Math.max(...rows(seen))).toBeLessThanOrEqual(SMALL);
  });

  it.each([
    ['email', 'office20000@example1.co.il', 'entities_vendors_email'],
    ['taxId', '510000777', 'entities_vendors_tax_id'],
  ])('uses the index of the filter %s', async (field, value, index) => {
    const seen = await scans(list({ filter: { [field]: value } }).look());
    const entities = seen.filter((node) => node['Relation Name'] !== 'entity_counts');
    expect(indexes(entities)).toEqual([index]);
    expect(Math.max(...rows(entities))).toBeLessThanOrEqual(1);
  });

  it('finds the rows of a page by their ids, one by one', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => index * 100 + 1_000);
    const { text, values } = list().byIds.query({ scope: companyId, ids });
    const seen = await scans([text, values]);
    expect(
      seen.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    ).not.toContain('entities');
    const entities = seen.filter((node) => node['Relation Name'] === 'entities');
    expect(rows(entities)).toEqual([50]);
  });
});
