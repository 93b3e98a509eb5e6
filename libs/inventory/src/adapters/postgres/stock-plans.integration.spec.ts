import { IdentityModule } from '@counterfoil/identity';
import { describeListPlans, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { InventoryModule } from '../../inventory.module';
import { givenCaller } from '../../testing/given-caller';
import { insertMovements } from '../../testing/many-movements';
import { STOCK_RECORDS } from './stock-record.list';

const RECORDS = 20_000;
/** Records with a threshold. */
const WATCHED = 200;

describe('with many stock records', () => {
  let context: TestContext;
  let companyId: number;
  let first: number;

  beforeAll(async () => {
    context = await startTestContext([InventoryModule, IdentityModule]);
    const { database } = context;
    const caller = await givenCaller(context, 'Acme');
    companyId = caller.companyId;
    await insertMovements(database, { ...caller, records: RECORDS, movements: 10 });
    await database.query(
      `update stock_records set low_stock_threshold = id % 2, quantity = 1 where id % ${RECORDS / WATCHED} = 0`,
    );
    const [row] = await database.query<{ id: number }>(
      'select min(product_id)::int as id from stock_records where company_id = $1',
      [companyId],
    );
    first = row!.id;
    await database.vacuum('stock_records');
  }, 120_000);
  afterAll(() => context.close());

  describeListPlans({
    list: STOCK_RECORDS,
    descending: [false],
    on: () => ({ database: context.database, scope: companyId }),
    filters: {
      productId: [() => first, 10],
      // All are in one warehouse: they are read, and counted, in the order of the list.
      warehouseId: [1, 2 * RECORDS],
      // Once for the page, and once for the total.
      isLow: [true, 2 * WATCHED],
    },
  });
});
