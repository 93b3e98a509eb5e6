import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DataSource } from 'typeorm';
import { takeBackAfter } from '../testing/take-back';
import { Inventory1795392000000 } from './1795392000000-inventory';
import { Files1795435200000 } from './1795435200000-files';
import { ExchangeRates1795438800000 } from './1795438800000-exchange-rates';
import { Expenses1795442400000 } from './1795442400000-expenses';
import { ReceiptReadings1795446000000 } from './1795446000000-receipt-readings';

/** Migrations that only add, with the names that what they add has and nothing else. */
const MIGRATIONS = [
  ['the inventory', Inventory1795392000000, '^(stock|warehouse|.*movements)', 12],
  ['the files', Files1795435200000, '^(file|entities_.*_file$)', 8],
  ['exchange rates', ExchangeRates1795438800000, '^(exchange_rate|rate_|published_rate)', 9],
  ['expenses and supplier invoices', Expenses1795442400000, '(expenses|supplier_invoices|cost_counts)', 31],
  [
    'readings of receipts',
    ReceiptReadings1795446000000,
    '^(receipt_readings|reading_requests|entities_vendors_plain)',
    12,
  ],
] as const;

describe.each(MIGRATIONS)('the migration of %s', (_, Migration, names, atLeast) => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([]);
  });
  afterAll(() => context.close());

  const made = () =>
    context.database.query(
      `select name from (
         select relname::text as name, relnamespace as schema from pg_class
         union all select proname::text, pronamespace from pg_proc
         union all select conname::text, connamespace from pg_constraint where contype = 'f'
         union all select tgname::text, (select relnamespace from pg_class where oid = tgrelid) from pg_trigger
                    where not tgisinternal) made
        where schema = 'public'::regnamespace and name ~ $1 order by name`,
      [names],
    );

  it('can be taken back whole, and made again', async () => {
    const runner = context.get(DataSource).createQueryRunner();
    const migration = new Migration();
    const before = await made();
    expect(before.length).toBeGreaterThanOrEqual(atLeast);
    await takeBackAfter(runner, Migration);
    await migration.down(runner);
    expect(await made()).toEqual([]);
    await migration.up(runner);
    expect(await made()).toEqual(before);
    await runner.release();
  });
});
