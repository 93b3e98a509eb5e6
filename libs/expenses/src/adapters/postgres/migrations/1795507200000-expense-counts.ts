import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * `cost_counts` counts only expenses from now on; documents count supplier invoices. A process of the
 * previous version reads the removed column. Until it is restarted, it answers `GET /expenses?include=all`
 * with 500 instead of a wrong total.
 */
export class ExpenseCounts1795507200000 extends Migration {
  override readonly name = 'ExpenseCounts1795507200000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of COUNTS) await runner.query(statement);
  }
}

const COUNTS = [
  // destructive: no release used the column or the function
  'alter table cost_counts drop column supplier_invoices',
  'drop function change_cost_counts(bigint, bigint, bigint)',
  `create function change_cost_counts(company bigint, more bigint) returns void language plpgsql as $$
   declare
     last record;
   begin
     perform pg_advisory_xact_lock(hashtextextended('costs', company));
     select change_number, expenses into last
       from cost_counts where company_id = company order by change_number desc limit 1;
     insert into cost_counts (company_id, change_number, expenses)
     values (company, coalesce(last.change_number, 0) + 1, coalesce(last.expenses, 0) + more);
     -- Said as the one that it is: a range would pass over all that an old transaction still sees.
     delete from cost_counts where company_id = company and change_number = last.change_number;
   end $$`,
  // Locks companies in one order, so that two statements that change several companies cannot deadlock.
  `create or replace function count_expenses() returns trigger language plpgsql as $$
   begin
     perform change_cost_counts(company_id, case tg_op when 'DELETE' then -n else n end)
       from (select company_id, count(*) as n from changed group by 1 order by 1) counted;
     return null;
   end $$`,
  // Includes the file, although no list shows it: the search for duplicates waits on this lock for concurrent
  // changes.
  `create or replace function count_edited_expenses() returns trigger language plpgsql as $$
   begin
     perform change_cost_counts(company_id, 0)
       from (select distinct n.company_id
               from before o join after n using (id)
              where (o.file_id, o.entity_id, o.date, o.title, o.document_number, o.notes, o.total, o.tax, o.deductable_tax,
                     o.is_equipment)
                is distinct from
                    (n.file_id, n.entity_id, n.date, n.title, n.document_number, n.notes, n.total, n.tax, n.deductable_tax,
                     n.is_equipment)
              order by 1) edited;
     return null;
   end $$`,
];
