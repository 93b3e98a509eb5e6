import type { TestDatabase } from '@counterfoil/test-harness';

/**
 * Inserts products of a company by SQL. Every tenth is inactive, and the name of every thousandth begins with
 * `Rare`.
 */
export async function insertProducts(
  database: TestDatabase,
  companyId: number,
  count: number,
): Promise<void> {
  await database.query(
    `insert into products (visible_id, company_id, name, sku, manufacturer_sku, is_active, created_at, updated_at)
       select gen_random_uuid(), $1,
              (case when n % 1000 = 0 then 'Rare ' else 'Common ' end) || 'product ' || (n * 7919 % $2), 'SKU-' || n,
              'M' || n, n % 10 <> 0, now(), now()
         from generate_series(1, $2::bigint) n`,
    [companyId, count],
  );
}
