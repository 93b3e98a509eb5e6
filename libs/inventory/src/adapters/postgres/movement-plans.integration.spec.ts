import { Sql } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import {
  genericPlanOf,
  planOf,
  type PlanNode,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import {
  InventoryReader,
  MOVEMENT_SORTS,
  type MovementFilter,
  type MovementSort,
} from '../../application/ports/inventory.reader';
import { InventoryModule } from '../../inventory.module';
import { givenCaller } from '../../testing/given-caller';
import { insertMovements } from '../../testing/many-movements';

const MOVEMENTS = 60_000;
const RECORDS = 300;
const NEWEST = { by: 'createdAt', descending: true } as const;

/** Captures the statement of a list and runs it again with EXPLAIN. */
describe('the query plans of the movement list', () => {
  let context: TestContext;
  let companyId: number;
  /** A record with a tenth of all movements, and one with one in some hundreds. */
  let records: { readonly hot: number; readonly quiet: number };

  beforeAll(async () => {
    context = await startTestContext([InventoryModule, IdentityModule]);
    const { database } = context;
    for (const [name, movements] of [
      ['Other', 2_000],
      ['Acme', MOVEMENTS],
    ] as const) {
      const caller = await givenCaller(context, name);
      await insertMovements(database, { ...caller, records: RECORDS, movements });
      companyId = caller.companyId;
    }
    const [first] = await database.query<{ id: number }>(
      'select min(id)::int as id from stock_records where company_id = $1',
      [companyId],
    );
    records = { hot: first!.id, quiet: first!.id + 7 };
    await database.vacuum('stock_movements', 'stock_records');
  }, 120_000);
  afterAll(() => context.close());

  /** Reads the list twice, so that its total is cached, and returns the scans of the second statement. */
  async function findScans(filter: MovementFilter, sort: MovementSort, offset = 0): Promise<PlanNode[]> {
    const read = () =>
      context.get(InventoryReader).listMovements(companyId, filter, sort, { limit: 50, offset });
    await read();
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await read();
      expect(sent).toHaveBeenCalledTimes(1);
      const [sql, parameters = [], preparedAs] = sent.mock.calls[0]!;
      const nodes =
        preparedAs === undefined
          ? await planOf(context.database, sql, parameters)
          : await genericPlanOf(context.database, [sql, parameters]);
      return nodes.filter((node) => /^(Index|Bitmap|Seq|Function).*Scan/.test(node['Node Type']));
    } finally {
      sent.mockRestore();
    }
  }

  const countRowsRead = (scans: readonly PlanNode[]) =>
    scans.reduce(
      (sum, scan) =>
        sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
      0,
    );
  const orders = MOVEMENT_SORTS.flatMap((by) => [false, true].map((descending) => ({ by, descending })));

  it.each(orders)(
    'reads little more rows than a first page by $by (descending: $descending) holds',
    async (sort) => {
      expect(countRowsRead(await findScans({}, sort))).toBeLessThan(250);
      expect(countRowsRead(await findScans({ inventoryId: records.quiet }, sort))).toBeLessThan(1_000);
    },
  );

  it.each(orders)(
    'skips the rows before a deep page by $by (descending: $descending) in the index alone',
    async (sort) => {
      const scans = await findScans({}, sort, MOVEMENTS / 2);
      const skipping = scans.filter((scan) => scan['Actual Rows'] > 1_000);
      expect(skipping.map((scan) => scan['Node Type'])).toEqual(['Index Only Scan']);
    },
  );

  it.each<MovementFilter>([
    { movementType: 'ADD' },
    { movementType: 'ADJUST' },
    { movementType: 'TRANSFER' },
    { reason: 'shelf' },
    { reason: 'zzz' },
    { reason: 'nowhere', movementType: 'ADD' },
  ])('finds the newest of %j among few rows', async (filter) => {
    expect(countRowsRead(await findScans(filter, NEWEST))).toBeLessThan(1_500);
  });

  it.each<MovementFilter>([{ movementType: 'ADD' }, { movementType: 'ADJUST' }, {}])(
    'finds the newest of %j among few rows of a record with many movements',
    async (filter) => {
      expect(countRowsRead(await findScans({ ...filter, inventoryId: records.hot }, NEWEST))).toBeLessThan(
        500,
      );
    },
  );

  it.each<[MovementFilter, number]>([
    [{}, 500],
    [{ movementType: 'ADD' }, 500],
    // One row in twelve matches: few enough to look them up and sort them.
    [{ reason: 'sale' }, MOVEMENTS / 10],
  ])('does not count the movements of %j again', async (filter, atMost) => {
    const scans = await findScans(filter, NEWEST);
    expect(scans.map((scan) => scan['Index Name'])).toContain('stock_movements_transaction');
    expect(countRowsRead(scans)).toBeLessThan(atMost);
  });
});
