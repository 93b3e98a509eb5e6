import { Migration, type QueryRunner } from '@counterfoil/database';

export class Inventory1795392000000 extends Migration {
  override readonly name = 'Inventory1795392000000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...STOCK, ...IMMUTABLE, ...LISTS]) await runner.query(statement);
  }
}

const STOCK = [
  `create table warehouses (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    name text not null,
    address_id bigint references addresses,
    created_at timestamptz not null
  )`,
  'create index warehouses_company on warehouses (company_id, id)',
  // Rows are updated constantly. The fill factor leaves room for HOT updates, which add no index entries.
  `create table stock_records (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    product_id bigint not null references products,
    warehouse_id bigint not null references warehouses,
    quantity numeric(14,4) not null default 0,
    reserved_quantity numeric(14,4) not null default 0,
    low_stock_threshold numeric(14,4),
    -- When its last movement was, or it was made: no later movement is dated before it.
    moved_at timestamptz not null,
    created_at timestamptz not null,
    constraint stock_records_company unique (company_id, id),
    constraint stock_records_place unique (product_id, warehouse_id),
    constraint stock_records_stock check (0 <= reserved_quantity and reserved_quantity <= quantity)
  ) with (fillfactor = 50)`,
  'create index stock_records_warehouse on stock_records (warehouse_id, id)',
  `create table stock_movements (
    id bigint generated always as identity,
    company_id bigint not null references companies,
    stock_record_id bigint not null,
    user_id bigint not null references users,
    movement_type text collate "C" not null,
    quantity numeric(14,4) not null constraint stock_movements_quantity check (quantity > 0),
    previous_quantity numeric(14,4) not null,
    new_quantity numeric(14,4) not null,
    previous_reserved_quantity numeric(14,4) not null,
    new_reserved_quantity numeric(14,4) not null,
    -- Of a TRANSFER: the stock record of its other movement, which the same transaction wrote.
    counterpart_record_id bigint,
    unit_price numeric(14,4),
    reason text,
    reference_id bigint,
    reference_type text,
    notes text,
    created_at timestamptz not null,
    -- Which of the movements that a reader has counted are all there are up to then, see SettledCounts.
    transaction_id xid8 not null default pg_current_xact_id(),
    reason_key text collate "C" generated always as (lower(reason)) stored,
    primary key (company_id, id),
    foreign key (company_id, stock_record_id) references stock_records (company_id, id),
    constraint stock_movements_stock
      check (0 <= new_reserved_quantity and new_reserved_quantity <= new_quantity)
  )`,
];

const IMMUTABLE = [
  `create function refuse_change_of_movements() returns trigger language plpgsql as $$
   begin
     raise exception 'movements are never changed' using errcode = 'restrict_violation';
   end $$`,
  `create trigger stock_movements_immutable before update or delete or truncate on stock_movements
     for each statement execute function refuse_change_of_movements()`,
];

/**
 * Indexes for the list's sort orders (company-wide and by record), for the search of reasons, and for new
 * rows.
 */
const LISTS = [
  'create index stock_movements_created on stock_movements (company_id, created_at, id)',
  'create index stock_movements_type on stock_movements (company_id, movement_type, id)',
  'create index stock_movements_quantity on stock_movements (company_id, quantity, id)',
  'create index stock_movements_record on stock_movements (company_id, stock_record_id, id)',
  'create index stock_movements_record_type on stock_movements (company_id, stock_record_id, movement_type, id)',
  'create index stock_movements_transaction on stock_movements (company_id, transaction_id)',
  `create index stock_movements_search on stock_movements using gin (search_grams(company_id, reason_key))
    where reason_key is not null`,
  // Like search_entities.
  `create function search_movements(company bigint, term text)
   returns table (id bigint, company_id bigint, stock_record_id bigint, movement_type text, quantity numeric,
     created_at timestamptz, reason_key text, transaction_id xid8)
   language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
   set work_mem = '64MB' as $$
     select m.id, m.company_id, m.stock_record_id, m.movement_type, m.quantity, m.created_at, m.reason_key,
            m.transaction_id
       from stock_movements m
      where m.reason_key is not null and search_grams(m.company_id, m.reason_key) @> search_grams(company, term)
   $$`,
];
