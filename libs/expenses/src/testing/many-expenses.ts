import type { TestDatabase } from '@counterfoil/test-harness';

/** Parts of titles, some frequent and some rare. */
const WHAT =
  'Train Taxi Fuel Parking Hotel Flight Paper Toner Lunch Coffee Cleaning Repair Licence Hosting Insurance Rent Water ' +
  'Phone Courier Tools Books Course Desk Chair Screen רכבת מונית דלק חניה מלון טיסה נייר ניקיון תיקון ביטוח שכירות מים';
const WHERE =
  'Haifa Jaffa Lod Ramla Afula Eilat Safed Acre Holon Yavne חיפה יפו לוד רמלה עפולה אילת צפת עכו חולון יבנה';
/** The first day of five years. */
const FIRST_DAY = '2021-11-22';
const DAYS = 1_826;

export interface ManyExpenses {
  readonly companyId: number;
  readonly vendors: number;
  readonly expenses: number;
  readonly supplierInvoices: number;
}

/**
 * Inserts expenses and supplier invoices of five years. A few vendors have many; one expense in ten is in
 * dollars; one supplier invoice in twenty is cancelled. The indexes are created after the rows.
 */
export async function seedExpenses(database: TestDatabase, many: ManyExpenses): Promise<void> {
  const { companyId, vendors, expenses, supplierInvoices } = many;
  await database.query(
    `insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, created_at, updated_at)
     select gen_random_uuid(), $1, true, 'Vendor ' || n, (510000000 + n)::text, 'COMPANY', now(), now()
       from generate_series(1, $2::int) n`,
    [companyId, vendors],
  );
  await database.query(
    `insert into files (company_id, user_id, storage_key, file_name, mime_type, size, sha256, created_at)
     select $1, (select min(id) from users where company_id = $1), 'many-' || $1 || '-' || n, 'receipt.pdf',
            'application/pdf', 1000, encode(sha256(n::text::bytea), 'hex'), now()
       from generate_series(1, 1000) n`,
    [companyId],
  );
  const indexes = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename in ('expenses', 'supplier_invoices') and not exists (
        select from pg_constraint where conname = indexname)`,
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  await database.query(insertion(true), [companyId, expenses, WHAT, WHERE, FIRST_DAY, DAYS]);
  await database.query(insertion(false), [companyId, supplierInvoices, WHAT, WHERE, FIRST_DAY, DAYS]);
  for (const { definition } of indexes) await database.query(definition);
  await database.vacuum(
    'expenses',
    'supplier_invoices',
    'entities',
    'files',
    'cost_counts',
    'supplier_invoice_counts',
  );
}

function insertion(ofExpenses: boolean): string {
  const [columns, values] = ofExpenses
    ? [
        'user_id, file_id, is_equipment, total_in_ils',
        `own.user_id, own.files[1 + h[5] % cardinality(own.files)], n % 20 = 0,
         case when n % 10 <> 0 then (1 + h[6] % 1000000)::numeric / 100 end`,
      ]
    : [
        'visible_id, number, cancelled',
        `gen_random_uuid(), n + (select coalesce(max(number), 0) from supplier_invoices where company_id = $1),
         n % 20 = 0`,
      ];
  return `
    with own as (
      select (select min(id) from users where company_id = $1) as user_id,
             (select array_agg(id) from files where company_id = $1) as files,
             (select array_agg(id) from entities where company_id = $1 and is_vendor) as vendors,
             string_to_array($3, ' ') as what, string_to_array($4, ' ') as places
    )
    insert into ${ofExpenses ? 'expenses' : 'supplier_invoices'}
      (company_id, entity_id, title, date, document_number, currency, total, tax, deductable_tax, notes, created_at,
       updated_at, ${columns})
    select $1,
           -- The square makes a few of them frequent.
           own.vendors[1 + (((h[1] % 10000) / 10000.0) ^ 2 * (cardinality(own.vendors) - 1))::int],
           own.what[1 + h[2] % cardinality(own.what)] || ' ' || own.places[1 + h[3] % cardinality(own.places)],
           $5::date + (h[4] % $6::int), 'R-' || (100000 + n), case when n % 10 = 0 then 'USD' else 'ILS' end,
           (1 + h[6] % 1000000)::numeric / 100, 0, 0, case when n % 3 = 0 then 'paid by card ' || h[7] % 10000 end,
           now(), now(), ${values}
      from own, generate_series(1, $2::int) n,
           lateral (select array(select abs(hashint8(n * 16 + i)) from generate_series(1, 7) i) as h) hashes`;
}
