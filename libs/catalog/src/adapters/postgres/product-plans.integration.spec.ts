import { Sql } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import {
  describeListPlans,
  planOf,
  type PlanNode,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import { type ProductFilter, ProductReader, type ProductSort } from '../../application/ports/product.reader';
import { CatalogModule } from '../../catalog.module';
import { givenCaller } from '../../testing/given-caller';
import { insertProducts } from '../../testing/many-products';
import { PRODUCTS as LIST } from './product.list';

const PRODUCTS = 20_000;

/** Captures the statement of a list and runs it again with EXPLAIN. */
describe('the query plans of the product list', () => {
  let context: TestContext;
  let companyId: number;
  let smallId: number;

  beforeAll(async () => {
    context = await startTestContext([CatalogModule, IdentityModule]);
    const { database } = context;
    companyId = (await givenCaller(context)).companyId;
    await insertProducts(database, companyId, PRODUCTS);
    smallId = (await givenCaller(context, 'Small')).companyId;
    await insertProducts(database, smallId, 200);
    await database.vacuum('products');
  }, 120_000);
  afterAll(() => context.close());

  describeListPlans({
    list: LIST,
    on: () => ({ database: context.database, scope: companyId }),
    // Most products are active, so rows and total are each read from an index.
    filters: { search: ['sku-1999', 300], isActive: [true, PRODUCTS + 500] },
  });

  async function scansOf(
    company: number,
    filter: ProductFilter,
    sort: ProductSort,
    offset = 0,
  ): Promise<PlanNode[]> {
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await context.get(ProductReader).list(company, filter, sort, { limit: 50, offset });
      expect(sent).toHaveBeenCalledTimes(1);
      const [sql, parameters] = sent.mock.calls[0]!;
      const nodes = await planOf(context.database, sql, parameters);
      return nodes.filter((node) => /^(Index|Bitmap|Seq|Function).*Scan/.test(node['Node Type']));
    } finally {
      sent.mockRestore();
    }
  }

  const indexesOf = (scans: readonly PlanNode[]) => scans.map((scan) => scan['Index Name'] ?? 'none');
  const lookedAt = (scans: readonly PlanNode[]) =>
    scans.reduce(
      (sum, scan) =>
        sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
      0,
    );

  const orders = [
    ['id', 'products_company'],
    ['name', 'products_name'],
    ['sku', 'products_sku'],
  ] as const;
  const ordered = orders.flatMap(([by, index]) =>
    [false, true].flatMap((descending) =>
      [0, PRODUCTS / 2].map((offset) => ({ by, index, descending, offset })),
    ),
  );

  it.each(ordered)(
    'rows are read in the order of $index, from row $offset (descending: $descending)',
    async ({ by, index, descending, offset }) => {
      for (const filter of [{}, { isActive: true }]) {
        const scans = await scansOf(companyId, filter, { by, descending }, offset);
        expect(indexesOf(scans)).toContain(index);
        // The primary key serves only to fetch the rows of the page.
        expect(lookedAt(scans.filter((scan) => scan['Index Name'] === 'products_pkey'))).toBe(50);
      }
    },
  );

  it.each(['rare', 'Rare product', 'sku-19999', 'm1777'])(
    'a search for %j reads little more than its matches',
    async (search) => {
      const scans = await scansOf(companyId, { search }, { by: 'name', descending: false });
      expect(scans.map((scan) => scan['Node Type'])).not.toContain('Seq Scan');
      expect(lookedAt(scans)).toBeLessThan(400);
    },
  );

  it.each(['sku', 'rare'])('rows with %j are looked up by index alone, however many', async (term) => {
    const [scanned] = await context.database.query<Record<'found' | 'index' | 'before' | 'after', number>>(
      `select pg_stat_get_xact_numscans('products'::regclass)::int as before,
                (select count(*)::int from search_products($1, $2)) as found,
                pg_stat_get_xact_numscans('products_search'::regclass)::int as index,
                pg_stat_get_xact_numscans('products'::regclass)::int as after`,
      [companyId, term],
    );
    expect(scanned!.index).toBeGreaterThan(0);
    expect(scanned!.after).toBe(scanned!.before);
    expect(scanned!.found).toBeGreaterThan(0);
  });

  it("does not read other companies' products", async () => {
    for (const search of [undefined, 'product', 'sku-19', 'co']) {
      const scans = await scansOf(smallId, { search }, { by: 'id', descending: true });
      expect(lookedAt(scans)).toBeLessThan(1_000);
    }
  });
});
