import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Counts supplier invoices, and numbers their changes, in a table of documents. Before, triggers counted them
 * in `cost_counts`, a table of expenses. The triggers stay; their functions change.
 */
export class SupplierInvoiceCounts1795503600000 extends Migration {
  override readonly name = 'SupplierInvoiceCounts1795503600000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of COUNTS) await runner.query(statement);
  }
}

const COUNTS = [
  `create table supplier_invoice_counts (
    company_id bigint not null,
    change_number bigint not null,
    -- Those that are not cancelled.
    supplier_invoices bigint not null,
    primary key (company_id, change_number)
  )`,
  // Prevents changes between the count and the replacement of the functions.
  'lock table supplier_invoices in share row exclusive mode',
  `insert into supplier_invoice_counts (company_id, change_number, supplier_invoices)
   select company_id, 1, count(*) filter (where not cancelled) from supplier_invoices group by 1`,
  // Runs under the lock of their numbers, which an insert holds, so a reader that sees a change number sees
  // all changes up to it. Each statement of the function takes a new snapshot, so it sees the state after the
  // lock was acquired.
  `create function change_supplier_invoice_counts(company bigint, more bigint) returns void language plpgsql as $$
   declare
     last record;
   begin
     perform pg_advisory_xact_lock(hashtextextended('supplier invoices', company));
     select change_number, supplier_invoices into last
       from supplier_invoice_counts where company_id = company order by change_number desc limit 1;
     insert into supplier_invoice_counts (company_id, change_number, supplier_invoices)
     values (company, coalesce(last.change_number, 0) + 1, coalesce(last.supplier_invoices, 0) + more);
     -- Said as the one that it is: a range would pass over all that an old transaction still sees.
     delete from supplier_invoice_counts where company_id = company and change_number = last.change_number;
   end $$`,
  // Locks companies in one order, so that two statements that change several companies cannot deadlock.
  `create or replace function count_new_supplier_invoices() returns trigger language plpgsql as $$
   begin
     perform change_supplier_invoice_counts(company_id, n)
       from (select company_id, count(*) as n from changed where not cancelled group by 1 order by 1) counted;
     return null;
   end $$`,
  `create or replace function count_supplier_invoices() returns trigger language plpgsql as $$
   begin
     perform change_supplier_invoice_counts(company_id, n)
       from (select company_id, sum(n)::bigint as n
               from (select company_id, 1 as n from after where not cancelled
                     union all
                     select company_id, -1 from before where not cancelled) versions
              group by 1 having sum(n) <> 0 order by 1) counted;
     return null;
   end $$`,
];
