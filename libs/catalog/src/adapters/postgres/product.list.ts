import { readableFields, selectColumns } from '@counterfoil/database';
import { byCodePoints, type ListDefinition, searchIn } from '@counterfoil/lists';
import type { ProductFilter, ProductSort } from '../../application/ports/product.reader';
import { ProductSchema } from './product.schema';

export const PRODUCT_COLUMNS = selectColumns(ProductSchema, 'p', readableFields(ProductSchema));

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
  sorts: {
    id: ['p.id'],
    name: [byCodePoints('p.name_key'), 'p.id'],
    sku: [byCodePoints('p.sku_key'), 'p.id'],
  },
  rows: { columns: PRODUCT_COLUMNS, joins: 'left join products p on p.id = page.id' },
};
