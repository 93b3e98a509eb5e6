import { createDatabaseBefore, type DatabaseBefore } from '@counterfoil/test-harness';
import { ExpenseCounts1795507200000 } from './1795507200000-expense-counts';

describe('the migrations of the counts of expenses and supplier invoices', () => {
  let database: DatabaseBefore;
  const rows = (sql: string) => database.runner.query(sql) as Promise<Record<string, unknown>[]>;

  const invoices = (company: number, ...cancelled: readonly boolean[]) =>
    rows(`
      insert into supplier_invoices (visible_id, company_id, number, entity_id, document_number, date, currency, total,
        tax, deductable_tax, cancelled, created_at, updated_at)
      select gen_random_uuid(), e.company_id,
             n + (select count(*) from supplier_invoices s where s.company_id = e.company_id), e.id, n::text,
             current_date, 'ILS', 10, 0, 0, cancelled, now(), now()
        from entities e cross join unnest(array[${cancelled.join(', ')}]) with ordinality as c (cancelled, n)
       where e.company_id = ${company}`);
  const counts = async () => {
    const [supplierInvoices, expenses] = [
      await rows(
        'select company_id::int as company, supplier_invoices::int as n from supplier_invoice_counts order by 1',
      ),
      await rows('select company_id::int as company, expenses::int as n from cost_counts order by 1'),
    ];
    return { supplierInvoices, expenses };
  };

  beforeAll(async () => {
    database = await createDatabaseBefore(ExpenseCounts1795507200000);
    await rows(`insert into companies (name, created_at) values ('Acme', now()), ('Other', now())`);
    await rows(`insert into users (company_id, name, created_at) select id, 'Dana', now() from companies`);
    await rows(`
      insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at)
      select gen_random_uuid(), id, true, 'Vendor', '1', 'COMPANY', now(), now() from companies`);
    await rows(
      `insert into cost_counts (company_id, change_number, expenses, supplier_invoices) values (1, 7, 3, 2)`,
    );
    await invoices(1, false, false, true);
    await new ExpenseCounts1795507200000().up(database.runner);
  });
  afterAll(() => database.drop());

  it('keep the counts, each in the table of its context', async () => {
    expect(await counts()).toEqual({
      supplierInvoices: [{ company: 1, n: 2 }],
      expenses: [{ company: 1, n: 3 }],
    });
  });

  it('count new and cancelled supplier invoices without changing the counts of expenses', async () => {
    const before = await rows('select change_number from cost_counts');
    await invoices(2, false, true);
    await invoices(1, false);
    expect((await counts()).supplierInvoices).toEqual([
      { company: 1, n: 3 },
      { company: 2, n: 1 },
    ]);
    await rows('update supplier_invoices set cancelled = true where company_id = 1');
    expect((await counts()).supplierInvoices).toEqual([
      { company: 1, n: 0 },
      { company: 2, n: 1 },
    ]);
    expect(await rows('select change_number from cost_counts')).toEqual(before);
  });
});
