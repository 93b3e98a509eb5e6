import type { ListDefinition } from '@counterfoil/lists';
import type { StockFilter } from '../../application/ports/inventory.reader';

export const STOCK_RECORDS: ListDefinition<StockFilter, 'id'> = {
  name: 'stock records',
  from: 'stock_records r',
  id: 'r.id',
  scope: 'r.company_id = $1',
  filters: {
    productId: 'r.product_id = ?',
    warehouseId: 'r.warehouse_id = ?',
    // PostgreSQL reduces `… = true` to the condition, which the index `stock_records_watched` covers.
    isLow: `(r.low_stock_threshold is not null
      and r.quantity - r.reserved_quantity <= r.low_stock_threshold) = ?`,
  },
  sorts: { id: ['r.id'] },
  rows: {
    columns: `r.id, r.product_id as "productId", r.warehouse_id as "warehouseId", r.quantity,
      r.reserved_quantity as "reservedQuantity", r.low_stock_threshold as "lowStockThreshold"`,
    joins: 'left join stock_records r on r.id = page.id',
  },
};
