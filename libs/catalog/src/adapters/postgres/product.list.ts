import { type ListDefinition, searchIn } from '@counterfoil/lists';
import type { ProductFilter, ProductSort } from '../../application/ports/product.reader';

export const PRODUCT_COLUMNS = `p.id, p.visible_id as "visibleId", p.company_id as "companyId", p.name, p.sku,
  p.manufacturer_sku as "manufacturerSku", p.unit, p.buying_price as "buyingPrice", p.selling_price as "sellingPrice",
  p.is_active as "isActive", p.created_at as "createdAt", p.updated_at as "updatedAt"`;

export const PRODUCTS: ListDefinition<ProductFilter, ProductSort['by']> = {
  name: 'products',
  from: 'products p',
  id: 'p.id',
  scope: 'p.company_id = $1',
  filters: {
    isActive: 'p.is_active = ?',
    search: searchIn(
      (term) => `search_products($1, ${term}) p`,
      ['p.name_key', 'p.sku_key', 'p.manufacturer_sku_key'],
    ),
  },
  sorts: { id: ['p.id'], name: ['p.name_key', 'p.id'], sku: ['p.sku_key', 'p.id'] },
  rows: { columns: PRODUCT_COLUMNS, joins: 'left join products p on p.id = page.id' },
};
