import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds expenses, supplier invoices and the list of both. Supplier invoices belong to the context `documents`.
 */
export class Expenses1795442400000 extends Migration {
  override readonly name = 'Expenses1795442400000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...SORTS, ...SEARCH, ...COUNTS]) await runner.query(statement);
  }
}

/**
 * Texts for searching and sorting, in lower case, compared by code points. Rows without a title come first.
 * Blanks and directional marks around a document number are ignored.
 */
const KEYS = `
    title_key text collate "C" not null generated always as (lower(coalesce(title, ''))) stored,
    document_number_key text collate "C" generated always as (
      lower(btrim(document_number, E' \\t\\r\\n\\u00A0\\u200E\\u200F'))) stored,
    notes_key text collate "C" generated always as (lower(notes)) stored`;

const TABLES = [
  `create table expenses (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    user_id bigint not null references users,
    entity_id bigint not null references entities,
    file_id bigint not null references files,
    title text,
    date date not null,
    document_number text,
    currency text not null,
    total numeric(14,2) not null constraint expenses_total check (total > 0),
    tax numeric(14,2) not null,
    deductable_tax numeric(14,2) not null,
    is_equipment boolean not null,
    notes text,
    -- Null when no rate was available; so are the three below, and where the currency is the shekel.
    total_in_ils numeric(14,2),
    -- Shekels for exchange_rate_unit units of the currency, as published on exchange_rate_date.
    exchange_rate numeric(14,4),
    exchange_rate_unit integer,
    exchange_rate_date date,
    created_at timestamptz not null,
    updated_at timestamptz not null,${KEYS},
    constraint expenses_taxes check (0 <= deductable_tax and deductable_tax <= tax and tax <= total),
    constraint expenses_in_ils check (currency <> 'ILS' or total_in_ils = total)
  )`,
  // Uses the same sequence as documents, so that a number identifies one document of either table.
  `create table supplier_invoices (
    id bigint primary key default nextval('documents_id_seq'),
    visible_id uuid not null constraint supplier_invoices_visible_id unique,
    company_id bigint not null references companies,
    number bigint not null,
    entity_id bigint not null references entities,
    document_number text not null,
    date date not null,
    title text,
    currency text not null,
    total numeric(14,2) not null constraint supplier_invoices_total check (total > 0),
    tax numeric(14,2) not null,
    deductable_tax numeric(14,2) not null,
    notes text,
    cancelled boolean not null default false,
    cancellation_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null,${KEYS},
    constraint supplier_invoices_number unique (company_id, number),
    constraint supplier_invoices_taxes check (0 <= deductable_tax and deductable_tax <= tax and tax <= total)
  )`,
  // For likely duplicates: the same vendor and document number, or the same file.
  `create index expenses_document_number on expenses (company_id, entity_id, document_number_key, id)
    where document_number is not null`,
  'create index expenses_file on expenses (file_id, id)',
  // The expenses that a new rate may affect.
  `create index expenses_foreign on expenses (currency, date, company_id, id) where currency <> 'ILS'`,
  `create index expenses_foreign_own on expenses (company_id, currency, date, id) where currency <> 'ILS'`,
  'create index supplier_invoices_newest on supplier_invoices (company_id, date desc, id desc)',
  'create index supplier_invoices_entity_newest on supplier_invoices (company_id, entity_id, date desc, id desc)',
];

/**
 * One index for each order of the list. It includes the filtered columns, so that the rows before a page are
 * skipped in the index alone. The list with supplier invoices merges two of these indexes.
 */
const SORTS = [
  'create index expenses_date on expenses (company_id, date, id) include (entity_id)',
  'create index expenses_vendor on expenses (company_id, entity_id, date, id)',
  'create index expenses_id on expenses (company_id, id) include (entity_id, date)',
  ...['title_key', 'total', 'tax', 'deductable_tax', 'is_equipment'].map(
    (column) =>
      `create index expenses_${column} on expenses (company_id, ${column}, id) include (entity_id, date)`,
  ),
  `create index supplier_invoices_date on supplier_invoices (company_id, date, id) include (entity_id)
    where not cancelled`,
  `create index supplier_invoices_vendor on supplier_invoices (company_id, entity_id, date, id) where not cancelled`,
  ...['title_key', 'total'].map(
    (column) =>
      `create index supplier_invoices_${column} on supplier_invoices (company_id, ${column}, id)
        include (entity_id, date) where not cancelled`,
  ),
];

/** Finds the rows of a search with an index-only scan, like search_entities. */
const SEARCH = ['expenses', 'supplier_invoices'].flatMap((table) => {
  const grams = 'search_grams(t.company_id, t.title_key, t.document_number_key, t.notes_key)';
  const active = table === 'expenses' ? '' : 'where not t.cancelled';
  return [
    `create index ${table}_search on ${table} using gin (${grams.replaceAll('t.', '')})
      with (fastupdate = off) ${active.replaceAll('t.', '')}`,
    `create function search_${table}(company bigint, term text)
     returns table (id bigint, company_id bigint, entity_id bigint, date date, title_key text,
       document_number_key text, notes_key text, total numeric, tax numeric, deductable_tax numeric,
       is_equipment boolean)
     language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
     set work_mem = '64MB' as $$
       select t.id, t.company_id, t.entity_id, t.date, t.title_key, t.document_number_key, t.notes_key, t.total, t.tax,
              t.deductable_tax, ${table === 'expenses' ? 't.is_equipment' : 'false'}
         from ${table} t
        where ${active === '' ? '' : 'not t.cancelled and '}${grams} @> search_grams(company, term)
     $$`,
  ];
});

/**
 * Counts the expenses and supplier invoices of a company, and numbers each change of the data in their lists,
 * like entity_counts. The row is locked until the commit, so a transaction that sees a number sees all
 * changes up to it.
 */
const COUNTS = [
  `create table cost_counts (
    company_id bigint not null,
    change_number bigint not null,
    expenses bigint not null,
    -- Those that are not cancelled.
    supplier_invoices bigint not null,
    primary key (company_id, change_number)
  )`,
  // Each statement of the function takes a new snapshot, so it sees the state after the lock was acquired.
  `create function change_cost_counts(company bigint, more_expenses bigint, more_supplier_invoices bigint)
   returns void language plpgsql as $$
   declare
     last record;
   begin
     perform pg_advisory_xact_lock(hashtextextended('costs', company));
     select change_number, expenses, supplier_invoices into last
       from cost_counts where company_id = company order by change_number desc limit 1;
     insert into cost_counts (company_id, change_number, expenses, supplier_invoices)
     values (company, coalesce(last.change_number, 0) + 1, coalesce(last.expenses, 0) + more_expenses,
             coalesce(last.supplier_invoices, 0) + more_supplier_invoices);
     -- Said as the one that it is: a range would pass over all that an old transaction still sees.
     delete from cost_counts where company_id = company and change_number = last.change_number;
   end $$`,
  // Locks companies in one order, so that two statements that change several companies cannot deadlock.
  `create function count_expenses() returns trigger language plpgsql as $$
   begin
     perform change_cost_counts(company_id, case tg_op when 'DELETE' then -n else n end, 0)
       from (select company_id, count(*) as n from changed group by 1 order by 1) counted;
     return null;
   end $$`,
  `create function count_edited_expenses() returns trigger language plpgsql as $$
   begin
     perform change_cost_counts(company_id, 0, 0)
       from (select distinct n.company_id
               from before o join after n using (id)
              -- With the file, though no list shows it: who looks for duplicates waits here for others who change theirs.
              where (o.file_id, o.entity_id, o.date, o.title, o.document_number, o.notes, o.total, o.tax, o.deductable_tax,
                     o.is_equipment)
                is distinct from
                    (n.file_id, n.entity_id, n.date, n.title, n.document_number, n.notes, n.total, n.tax, n.deductable_tax,
                     n.is_equipment)
              order by 1) edited;
     return null;
   end $$`,
  `create function count_supplier_invoices() returns trigger language plpgsql as $$
   begin
     perform change_cost_counts(company_id, 0, sum(n)::bigint)
       from (select company_id, 1 as n from after where not cancelled
             union all
             select company_id, -1 from before where not cancelled) versions
      group by company_id having sum(n) <> 0 order by company_id;
     return null;
   end $$`,
  `create function count_new_supplier_invoices() returns trigger language plpgsql as $$
   begin
     perform change_cost_counts(company_id, 0, n)
       from (select company_id, count(*) as n from changed where not cancelled group by 1 order by 1) counted;
     return null;
   end $$`,
  `create trigger expenses_added after insert on expenses referencing new table as changed
     for each statement execute function count_expenses()`,
  `create trigger expenses_removed after delete on expenses referencing old table as changed
     for each statement execute function count_expenses()`,
  `create trigger expenses_edited after update on expenses referencing old table as before new table as after
     for each statement execute function count_edited_expenses()`,
  `create trigger supplier_invoices_added after insert on supplier_invoices referencing new table as changed
     for each statement execute function count_new_supplier_invoices()`,
  `create trigger supplier_invoices_cancelled after update on supplier_invoices
     referencing old table as before new table as after
     for each statement execute function count_supplier_invoices()`,
];
