import { Sql } from '@counterfoil/database';
import { IdentityModule } from '@counterfoil/identity';
import { planOf, type PlanNode, startTestContext, type TestContext } from '@counterfoil/test-harness';
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

/** What the statement of a list does in the database: it is sent once more, to be explained. */
describe('on many movements', () => {
  let context: TestContext;
  let companyId: number;
  /** Of a tenth of all movements, and of one in some hundreds. */
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
    // An index alone is enough for rows that vacuum has marked, and it marks none whose commit is not on disk yet: the
    // test server does not wait for that.
    await database.query('checkpoint');
    await database.query('vacuum analyze stock_movements');
    await database.query('vacuum analyze stock_records');
  }, 120_000);
  afterAll(() => context.close());

  /** Of the last statement of a list that was read before, and so is counted. */
  async function scansOf(filter: MovementFilter, sort: MovementSort, offset = 0): Promise<PlanNode[]> {
    const read = () => context.get(InventoryReader).movements(companyId, filter, sort, { limit: 50, offset });
    await read();
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await read();
      expect(sent).toHaveBeenCalledTimes(1);
      const [sql, parameters] = sent.mock.calls[0]!;
      const nodes = await planOf(context.database, sql, parameters);
      return nodes.filter((node) => /^(Index|Bitmap|Seq|Function).*Scan/.test(node['Node Type']));
    } finally {
      sent.mockRestore();
    }
  }

  const lookedAt = (scans: readonly PlanNode[]) =>
    scans.reduce(
      (sum, scan) =>
        sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
      0,
    );
  const orders = MOVEMENT_SORTS.flatMap((by) => [false, true].map((descending) => ({ by, descending })));

  it.each(orders)(
    'a first page by $by (descending: $descending) looks at little more than itself',
    async (sort) => {
      expect(lookedAt(await scansOf({}, sort))).toBeLessThan(250);
      expect(lookedAt(await scansOf({ inventoryId: records.quiet }, sort))).toBeLessThan(1_000);
    },
  );

  it.each(orders)(
    'the rows before a deep page by $by (descending: $descending) are read from the index alone',
    async (sort) => {
      const scans = await scansOf({}, sort, MOVEMENTS / 2);
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
  ])('the newest of %j are found among few', async (filter) => {
    expect(lookedAt(await scansOf(filter, NEWEST))).toBeLessThan(1_500);
  });

  it.each<MovementFilter>([{ movementType: 'ADD' }, { movementType: 'ADJUST' }, {}])(
    'of a record with many movements, the newest of %j are found among few',
    async (filter) => {
      expect(lookedAt(await scansOf({ ...filter, inventoryId: records.hot }, NEWEST))).toBeLessThan(500);
    },
  );

  it.each<[MovementFilter, number]>([
    [{}, 500],
    [{ movementType: 'ADD' }, 500],
    // They are looked up and sorted, being few: one in twelve.
    [{ reason: 'sale' }, MOVEMENTS / 10],
  ])('of %j, what was counted once is not counted again', async (filter, atMost) => {
    const scans = await scansOf(filter, NEWEST);
    expect(scans.map((scan) => scan['Index Name'])).toContain('stock_movements_transaction');
    expect(lookedAt(scans)).toBeLessThan(atMost);
  });
});
