import type { TestDatabase } from '@counterfoil/test-harness';

export interface ManyMovements {
  readonly companyId: number;
  readonly userId: number;
  readonly records: number;
  readonly movements: number;
}

/**
 * Inserts stock records and movements of a company by SQL for tests of lists; their quantities are
 * inconsistent. The first record has a tenth of the movements. One in 5,000 is an ADJUST, and one in 10,000
 * has the reason `Found behind shelf`.
 */
export async function insertMovements(
  database: TestDatabase,
  { companyId, userId, records, movements }: ManyMovements,
): Promise<void> {
  await database.query(
    `with product as (
       insert into products (visible_id, company_id, name, sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1, 'Product ' || n, 'SKU-' || n, true, now(), now()
         from generate_series(1, $2::bigint) n returning id
     ), warehouse as (
       insert into warehouses (company_id, name, created_at) values ($1, 'Main', now()) returning id
     )
     insert into stock_records (company_id, product_id, warehouse_id, moved_at, created_at)
     select $1, p.id, w.id, now(), now() from product p, warehouse w`,
    [companyId, records],
  );
  await database.query(
    `with record as (
       select id, row_number() over (order by id) - 1 as place from stock_records where company_id = $1
     ), numbered as (
       select n, case when n % 10 = 0 then 0 else n * 7919 % $3::bigint end as place from generate_series(1, $4::bigint) n
     )
     insert into stock_movements (company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity,
       new_quantity, previous_reserved_quantity, new_reserved_quantity, reason, created_at)
     select $1, r.id, $2,
            case when n % 5000 = 0 then 'ADJUST'
                 else (array['ADD', 'SUBTRACT', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT'])[1 + n % 5] end,
            1 + n * 104729 % 1000000 / 100.0, 0, 0, 0, 0,
            case when n % 10000 = 0 then 'Found behind shelf'
                 when n % 3 = 0 then (array['Sale', 'Purchase', 'Damaged', 'נמכר'])[1 + n % 4] end,
            timestamptz '2026-01-01' + n * interval '20 seconds'
       from numbered join record r using (place) order by n`,
    [companyId, userId, records, movements],
  );
}
