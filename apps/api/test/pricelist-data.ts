import type { TestDatabase } from '@counterfoil/test-harness';

export interface Product {
  readonly id: number;
  readonly visibleId: string;
}

export const pathOf = ({ visibleId }: { readonly visibleId: string }) => `/vendors/id/${visibleId}/pricelist`;

/** Creates products. The first one has all optional fields, the others none. */
export async function givenProducts(
  database: TestDatabase,
  companyId: number,
  count: number,
): Promise<Product[]> {
  const rows = await database.query<{ id: string; visible_id: string }>(
    `insert into products (visible_id, company_id, name, sku, manufacturer_sku, unit, buying_price, is_active,
                           created_at, updated_at)
     select gen_random_uuid(), $1, 'נייר ' || n, 'SKU-' || n, case when n = 1 then 'M-1' end,
            case when n = 1 then 'box' end, case when n = 1 then 12.3456 end, true, now(), now()
       from generate_series(1, $2::bigint) n returning id, visible_id`,
    [companyId, count],
  );
  return rows.map((row) => ({ id: Number(row.id), visibleId: row.visible_id }));
}
