import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import { DataSource } from 'typeorm';
import { takeBackAfter } from '../testing/take-back';
import { Inventory1795392000000 } from './1795392000000-inventory';
import { Files1795435200000 } from './1795435200000-files';
import { ExchangeRates1795438800000 } from './1795438800000-exchange-rates';
import { Expenses1795442400000 } from './1795442400000-expenses';
import { ReceiptReadings1795446000000 } from './1795446000000-receipt-readings';
import { Retainers1795449600000 } from './1795449600000-retainers';
import { Payments1795453200000 } from './1795453200000-payments';
import { Definitions1795456800000 } from './1795456800000-definitions';

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
  ['retainers', Retainers1795449600000, '^(schedule|retainers|documents_retainer)', 12],
  ['the payment gateway', Payments1795453200000, '^(payment_|recurring_payments|charge|sandbox_orders)', 30],
  [
    'what companies define',
    Definitions1795456800000,
    '^(custom_fields|document_execution_statuses|saved_reports)',
    15,
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

describe('the migration of retainers, taken back where a document is of one', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await startTestContext([]);
  });
  afterAll(() => context.close());

  it('keeps the document, which is of none then, and can be made again', async () => {
    const { database } = context;
    await database.query(`
      with company as (insert into companies (name, created_at) values ('Acme', now()) returning id),
      entity as (
        insert into entities (visible_id, company_id, is_client, name, tax_id, type, created_at, updated_at)
        select gen_random_uuid(), id, true, 'Client', '514000000', 'COMPANY', now(), now() from company
        returning company_id, id),
      schedule as (
        insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
        select id, 'RETAINER', 'MONTHLY', '2026-01-31', '2026-02-28' from company returning id),
      retainer as (
        insert into retainers (id, company_id, entity_id, document_type, currency, items, created_at)
        select schedule.id, company_id, entity.id, 'TAX_INVOICE', 'ILS', '[]', now() from schedule, entity
        returning id, company_id, entity_id)
      insert into documents (visible_id, company_id, type, number, entity_id, retainer_id, issue_date, currency, amount,
          tax, total_with_tax, status, remaining_amount, covered_amount, created_at, updated_at, change_number)
      select gen_random_uuid(), company_id, 'TAX_INVOICE', 1, entity_id, id, '2026-01-31', 'ILS', 100, 18, 118, 'OPEN',
             118, 0, now(), now(), 1 from retainer`);
    const documents = 'select number::int, retainer_id is null as free from documents';
    expect(await database.query(documents)).toEqual([{ number: 1, free: false }]);
    const runner = context.get(DataSource).createQueryRunner();
    await takeBackAfter(runner, Retainers1795449600000);
    const migration = new Retainers1795449600000();
    // As whoever takes migrations back does it: all of one, or nothing.
    for (const step of [migration.down.bind(migration), migration.up.bind(migration)]) {
      await runner.startTransaction();
      await step(runner);
      await runner.commitTransaction();
    }
    await runner.release();
    expect(await database.query(documents)).toEqual([{ number: 1, free: true }]);
    expect(await database.query('select from retainers')).toEqual([]);
  });
});
