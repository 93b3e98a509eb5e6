import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DataSource } from 'typeorm';
import { takeBackAfter } from '../testing/take-back';
import { Inventory1795392000000 } from './1795392000000-inventory';

describe('the migration of the inventory', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([]);
  });
  afterAll(() => context.close());

  const made = () =>
    context.database.query(
      `select relname::text as name from pg_class where relname ~ '^(stock|warehouse)' and relnamespace = 'public'::regnamespace
       union all select proname::text from pg_proc where proname ~ 'movements' order by 1`,
    );

  it('can be taken back whole, and made again', async () => {
    const runner = context.get(DataSource).createQueryRunner();
    const migration = new Inventory1795392000000();
    const before = await made();
    expect(before.length).toBeGreaterThan(10);
    await takeBackAfter(runner, Inventory1795392000000);
    await migration.down(runner);
    expect(await made()).toEqual([]);
    await migration.up(runner);
    expect(await made()).toEqual(before);
    await runner.release();
  });
});
