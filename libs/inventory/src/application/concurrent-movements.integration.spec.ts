import { IdentityModule } from '@counterfoil/identity';
import { openTestContext, startTestContext, type TestContext } from '@counterfoil/test-harness';
import { InventoryModule } from '../inventory.module';
import { StockAuditModule } from '../stock-audit.module';
import { givenCaller } from '../testing/given-caller';
import { runStockCrew } from '../testing/stock-crew';
import { VerifyStock } from './verify-stock';

const MOVEMENTS = 3_000;

describe('movements at once', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([InventoryModule, StockAuditModule, IdentityModule]);
  });
  afterAll(() => context.close());

  it('come to what they come to one after the other (B8)', async () => {
    const caller = await givenCaller(context);
    const other = await openTestContext(context.config, [InventoryModule]);
    try {
      const { database } = context;
      const report = await runStockCrew([context, other], { caller, database, movements: MOVEMENTS });
      expect(report).toMatchObject({ problems: [], deadlocks: 0, records: 20 });
      expect(report.accepted).toBeGreaterThan(MOVEMENTS / 2);
      expect(report.refused).toBeGreaterThan(MOVEMENTS / 50);
      const told: unknown[] = [];
      const verified = await context.get(VerifyStock).execute((one) => told.push(one));
      expect({ told, ...verified }).toMatchObject({ told: [], disagreements: 0, records: 20 });
    } finally {
      await other.close();
    }
  });
});
