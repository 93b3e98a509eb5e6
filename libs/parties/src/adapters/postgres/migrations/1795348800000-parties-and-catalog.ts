import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Fields, indexes and counters of vendors and clients, addresses and contacts; products, serials and
 * pricelists. The last three belong to catalog; the migration is in parties, which owns the rest.
 */
export class PartiesAndCatalog1795348800000 extends Migration {
  override readonly name = 'PartiesAndCatalog1795348800000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...PARTIES, ...COUNTS, ...SEARCH, ...SORTS, ...CATALOG]) {
      await runner.query(statement);
    }
  }
}

const PARTIES = [
  `create table addresses (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    street text not null,
    city text not null,
    house_number text,
    zip_code text,
    country text not null,
    created_at timestamptz not null
  )`,
  'create index addresses_company on addresses (company_id, id)',
  `create table contacts (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    first_name text not null,
    last_name text,
    phone_number text,
    email text,
    address_id bigint references addresses,
    created_at timestamptz not null
  )`,
  'create index contacts_company on contacts (company_id, id)',
  `alter table entities
    add column address_id bigint references addresses,
    add column logo_file_id bigint,
    add column bank_number text,
    add column branch_number text,
    add column account_number text,
    add column accounting_customer_number text,
    add column vendor_internal_code bigint,
    add column ledger_entity_account_key text,
    add column special_vat numeric(7,4),
    add column credit_limit numeric(14,2),
    add column round_document_total text not null default 'use_default',
    add column tax_deductions_file_number text,
    add column withholding_tax_rate numeric(7,4),
    add column withholding_certificate_number text,
    add column withholding_valid_from date,
    add column withholding_valid_until date,
    add column withholding_base text,
    add column withholding_file_id bigint,
    add column has_contacts boolean not null default false`,
  // A contact can belong to several parties. has_contacts repeats on the party whether it has any, for the
  // filter.
  `create table entity_contacts (
    entity_id bigint not null references entities,
    contact_id bigint not null references contacts,
    primary key (entity_id, contact_id)
  )`,
];

/**
 * The numbers of vendors and clients of a company by type and contacts, in the row with the highest change
 * number. Triggers write it in the statement that changes a party, under a lock of the company that is held
 * until the commit. So a reader that sees a change number sees all changes up to it and none after, and a
 * cached count is exact while the number is the same.
 *
 * Updating one row in place would be simpler. But a long transaction anywhere on the server keeps all dead
 * versions of the row, and every reader would step over them. The latest of inserted rows is at the end of
 * the index.
 */
const COUNTS = [
  `create table entity_counts (
    company_id bigint not null,
    change_number bigint not null,
    -- By cell, see entity_cells. A cell of none is left out.
    counts jsonb not null,
    primary key (company_id, change_number)
  )`,
  `create function entity_cells(is_vendor boolean, is_client boolean, type text, has_contacts boolean)
   returns setof text language sql immutable as $$
     select role || ':' || type || ':' || has_contacts
       from (values ('vendor', is_vendor), ('client', is_client)) roles (role, has) where has
   $$`,
  // READ COMMITTED: each statement of the function takes a new snapshot, so the ones after the lock see its
  // results.
  `create function change_entity_counts(company bigint, changes jsonb) returns void language plpgsql as $$
   declare
     last record;
   begin
     perform pg_advisory_xact_lock(hashtextextended('entities', company));
     select change_number, counts into last
       from entity_counts where company_id = company order by change_number desc limit 1;
     insert into entity_counts (company_id, change_number, counts)
     select company, coalesce(last.change_number, 0) + 1, coalesce(jsonb_object_agg(cell, n) filter (where n <> 0), '{}')
       from (select key as cell, sum(value::bigint) as n
               from (select * from jsonb_each_text(last.counts) union all select * from jsonb_each_text(changes)) parts
              group by key) summed;
     -- There is one at most. Said as the one that it is: a range would pass over all that an old transaction still sees.
     delete from entity_counts where company_id = company and change_number = last.change_number;
   end $$`,
  // The service never deletes parties. The trigger keeps the lists right when somebody deletes one by hand.
  `create function count_added_or_removed_entities() returns trigger language plpgsql as $$
   declare
     change record;
     sign integer := case tg_op when 'DELETE' then -1 else 1 end;
   begin
     -- Companies in one order, so that two statements over several of them do not wait for each other.
     for change in
       select company_id, jsonb_object_agg(cell, n) as changes
         from (select company_id, cell, sign * count(*) as n
                 from changed, entity_cells(is_vendor, is_client, type, has_contacts) cell group by 1, 2) cells
        group by company_id order by company_id
     loop
       perform change_entity_counts(change.company_id, change.changes);
     end loop;
     return null;
   end $$`,
  // A change of searched or sorted columns leaves the counts, but must invalidate cached lists.
  `create function count_edited_entities() returns trigger language plpgsql as $$
   declare
     change record;
   begin
     for change in
       with edited as (
         select id from before o join after n using (id)
          where (o.name, o.tax_id, o.email, o.type, o.is_vendor, o.is_client, o.has_contacts)
            is distinct from (n.name, n.tax_id, n.email, n.type, n.is_vendor, n.is_client, n.has_contacts)
       ), cells as (
         select company_id, cell, sum(n) as n
           from (select 1 as n, * from after union all select -1, * from before) versions
           join edited using (id), entity_cells(is_vendor, is_client, type, has_contacts) cell
          group by 1, 2
       )
       select company_id, jsonb_object_agg(cell, n) as changes from cells group by company_id order by company_id
     loop
       perform change_entity_counts(change.company_id, change.changes);
     end loop;
     return null;
   end $$`,
  `insert into entity_counts (company_id, change_number, counts)
   select company_id, 1, jsonb_object_agg(cell, n)
     from (select company_id, cell, count(*) as n
             from entities, entity_cells(is_vendor, is_client, type, has_contacts) cell group by 1, 2) cells
    group by company_id`,
  `create trigger entities_added after insert on entities referencing new table as changed
     for each statement execute function count_added_or_removed_entities()`,
  `create trigger entities_removed after delete on entities referencing old table as changed
     for each statement execute function count_added_or_removed_entities()`,
  `create trigger entities_edited after update on entities referencing old table as before new table as after
     for each statement execute function count_edited_entities()`,
];

/**
 * The trigrams of the texts, each prefixed with the company, in a GIN index of arrays. Searches of three
 * characters or more use it and compare its results with the whole term. pg_trgm does not do, for two
 * reasons. Where the server's locale is C, as in the embedded default and the compose file, it ignores
 * letters beyond ASCII, so a search in Hebrew would read the whole index. And its index has no company, so a
 * small company's search would read a large one's rows.
 */
const SEARCH = [
  `create function search_grams(company bigint, variadic texts text[]) returns text[]
   language sql immutable parallel safe as $$
     select array(select distinct company || ':' || substr(text, start, 3)
                    from unnest(texts) text, generate_series(1, length(text) - 2) start)
   $$`,
  // Lower-case copies for search, filter and sort: calling lower() at each comparison takes ten times as
  // long. Collation C orders by code points; another collation could change with the locale library and
  // corrupt the index.
  `alter table entities
    add column name_key text collate "C" not null generated always as (lower(name)) stored,
    add column tax_id_key text collate "C" not null generated always as (lower(tax_id)) stored,
    add column email_key text collate "C" generated always as (lower(email)) stored`,
  // Without fastupdate, since every search would scan the pending list entry by entry.
  `create index entities_search on entities using gin (search_grams(company_id, name_key, tax_id_key, email_key))
    with (fastupdate = off)`,
  // Finds the parties that contain all trigrams of a term. The settings force the index: for a term in nearly
  // all names the planner prefers other plans, which compute the trigrams of a million rows to compare them.
  // A lossy bitmap, for lack of work_mem, would do the same.
  `create function search_entities(company bigint, term text)
   returns table (id bigint, company_id bigint, is_vendor boolean, is_client boolean, name_key text, tax_id_key text,
     email_key text, type text, has_contacts boolean)
   language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
   set work_mem = '64MB' as $$
     select e.id, e.company_id, e.is_vendor, e.is_client, e.name_key, e.tax_id_key, e.email_key, e.type, e.has_contacts
       from entities e
      where search_grams(e.company_id, e.name_key, e.tax_id_key, e.email_key) @> search_grams(company, term)
   $$`,
];

/**
 * One index for each sort order of each list, read in both directions. Each includes the filtered columns, so
 * that an index-only scan can skip the rows before a deep page. The indexes by tax id, e-mail and type also
 * serve the filters by these columns.
 */
const SORTS = ['vendor', 'client'].flatMap((role) => [
  `create index entities_${role}s on entities (company_id, id) include (type, has_contacts) where is_${role}`,
  ...['name', 'tax_id', 'email'].map(
    (column) =>
      `create index entities_${role}s_${column} on entities (company_id, ${column}_key, id)
        include (type, has_contacts) where is_${role}`,
  ),
  `create index entities_${role}s_type on entities (company_id, type, id) include (has_contacts) where is_${role}`,
]);

const CATALOG = [
  `create table products (
    id bigint generated always as identity primary key,
    visible_id uuid not null constraint products_visible_id unique,
    company_id bigint not null references companies,
    name text not null,
    sku text not null,
    manufacturer_sku text,
    unit text,
    buying_price numeric(14,4),
    selling_price numeric(14,4),
    is_active boolean not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    name_key text collate "C" not null generated always as (lower(name)) stored,
    sku_key text collate "C" not null generated always as (lower(sku)) stored,
    manufacturer_sku_key text collate "C" generated always as (lower(manufacturer_sku)) stored
  )`,
  'create index products_company on products (company_id, id) include (is_active)',
  'create index products_name on products (company_id, name_key, id) include (is_active)',
  'create index products_sku on products (company_id, sku_key, id) include (is_active)',
  `create index products_search on products using gin (search_grams(company_id, name_key, sku_key, manufacturer_sku_key))
    with (fastupdate = off)`,
  // Like search_entities.
  `create function search_products(company bigint, term text)
   returns table (id bigint, company_id bigint, name_key text, sku_key text, manufacturer_sku_key text, is_active boolean)
   language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
   set work_mem = '64MB' as $$
     select p.id, p.company_id, p.name_key, p.sku_key, p.manufacturer_sku_key, p.is_active
       from products p
      where search_grams(p.company_id, p.name_key, p.sku_key, p.manufacturer_sku_key) @> search_grams(company, term)
   $$`,
  `create table product_serials (
    id bigint generated always as identity primary key,
    product_id bigint not null references products,
    serial_number text not null,
    created_at timestamptz not null,
    constraint product_serials_once unique (product_id, serial_number)
  )`,
  // The prices of vendors. Tiers are JSON, since they are only written and read together with their entry.
  `create table pricelist_entries (
    id bigint generated always as identity primary key,
    entity_id bigint not null references entities,
    product_id bigint not null references products,
    -- Its place in the list as it was sent.
    position integer not null,
    pricing_mode text not null,
    vendor_sku text,
    buying_price numeric(14,4),
    price_tiers jsonb,
    tiers_mode text,
    quantity_step numeric(14,4),
    quantity_step_price numeric(14,4),
    constraint pricelist_entries_product unique (entity_id, product_id)
  )`,
];
