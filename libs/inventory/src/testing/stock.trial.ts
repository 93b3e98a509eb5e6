import { IdentityModule } from '@counterfoil/identity';
import {
  Figures,
  type OpenContext,
  openTestContext,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import { VerifyStock } from '../application/verify-stock';
import { InventoryModule } from '../inventory.module';
import { StockAuditModule } from '../stock-audit.module';
import { givenCaller } from './given-caller';
import { runStockWorkload } from './stock-workload';

const MOVEMENTS = 1_000_000;
/** Each has its own pool and semaphores, like a process of the API. */
const CONTEXTS = 4;

const figures = new Figures();

describe('stock', () => {
  let context: TestContext;
  const others: OpenContext[] = [];

  beforeAll(async () => {
    context = await startTestContext([InventoryModule, StockAuditModule, IdentityModule]);
    while (others.length < CONTEXTS - 1)
      others.push(await openTestContext(context.config, [InventoryModule]));
  });
  afterAll(async () => {
    await Promise.all(others.map((other) => other.close()));
    await context.close();
  });

  it('equals the result of a million sequential movements', async () => {
    figures.heading('stock: 1,000,000 movements of all types, 20 records in 4 warehouses, 16 clients');
    const caller = await givenCaller(context);
    const { database } = context;
    const report = await runStockWorkload([context, ...others], { caller, database, movements: MOVEMENTS });
    figures.add('movements recorded', report.accepted);
    figures.add('movements refused for insufficient stock', report.refused);
    figures.add('calls a second', MOVEMENTS / (report.elapsedMs / 1_000), ' /s');
    figures.add('stock records', report.records, '', { atMost: 20 });
    figures.add('deadlocks in the database', report.deadlocks, '', { atMost: 0 });
    figures.add('responses that no order of movements explains', report.problems.length, '', { atMost: 0 });
    const disagreements: unknown[] = [];
    const verified = await context.get(VerifyStock).execute((one) => disagreements.push(one));
    figures.add('movements verified in the database', verified.movements, '', { atLeast: report.accepted });
    figures.add('records that disagree with them', verified.disagreements, '', { atMost: 0 });
    expect({ problems: report.problems.slice(0, 10), disagreements }).toEqual({
      problems: [],
      disagreements: [],
    });
    expect(figures.broken).toEqual([]);
  });
});
