import { IdentityModule } from '@counterfoil/identity';
import { openTestContext, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { InventoryModule } from '../inventory.module';
import { StockAuditModule } from '../stock-audit.module';
import { givenCaller } from '../testing/given-caller';
import { runStockWorkload } from '../testing/stock-workload';
import { VerifyStock } from './verify-stock';

const MOVEMENTS = 3_000;

describe('concurrent movements', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([InventoryModule, StockAuditModule, IdentityModule]);
  });
  afterAll(() => context.close());

  it('have the same result as one after the other (contract §7.7)', async () => {
    const caller = await givenCaller(context);
    const other = await openTestContext(context.config, [InventoryModule]);
    try {
      const { database } = context;
      const report = await runStockWorkload([context, other], { caller, database, movements: MOVEMENTS });
      expect(report).toMatchObject({ problems: [], deadlocks: 0, records: 20 });
      expect(report.accepted).toBeGreaterThan(MOVEMENTS / 2);
      expect(report.refused).toBeGreaterThan(MOVEMENTS / 50);
      const reported: unknown[] = [];
      const verified = await context.get(VerifyStock).execute((one) => reported.push(one));
      expect({ reported, ...verified }).toMatchObject({ reported: [], disagreements: 0, records: 20 });
    } finally {
      await other.close();
    }
  });
});
