import { byCodePoints, containsSql, type ListDefinition, searchIn } from '@counterfoil/lists';
import type { MovementFilter, MovementSort } from '../../application/ports/inventory.reader';

const REASON = ['m.reason_key'];

export const MOVEMENTS: ListDefinition<MovementFilter, MovementSort['by']> = {
  name: 'movements',
  from: 'stock_movements m',
  id: 'm.id',
  scope: 'm.company_id = $1',
  filters: {
    inventoryId: 'm.stock_record_id = ?',
    movementType: 'm.movement_type = ?',
    reason: searchIn((term) => `search_movements($1, ${term}) m`, REASON),
  },
  sorts: {
    createdAt: ['m.created_at', 'm.id'],
    id: ['m.id'],
    movementType: [byCodePoints('m.movement_type'), 'm.id'],
    quantity: ['m.quantity', 'm.id'],
  },
  rows: {
    columns: `m.id, m.stock_record_id as "inventoryId", r.product_id as "productId",
      r.warehouse_id as "warehouseId", m.user_id as "userId", u.name as "userName", m.movement_type as "movementType",
      m.quantity, m.previous_quantity as "previousQuantity", m.new_quantity as "newQuantity",
      m.previous_reserved_quantity as "previousReservedQuantity", m.new_reserved_quantity as "newReservedQuantity",
      m.counterpart_record_id as "counterpartInventoryId", m.unit_price as "unitPrice", m.reason,
      m.reference_id as "referenceId", m.reference_type as "referenceType", m.notes, m.created_at as "createdAt"`,
    joins: `left join stock_movements m on m.company_id = $1 and m.id = page.id
      left join stock_records r on r.id = m.stock_record_id left join users u on u.id = m.user_id`,
  },
};

/**
 * The movements of one stock record. Their ids and times have the same order, and they are few enough to
 * compare the text with each.
 */
export const MOVEMENTS_OF_A_RECORD: typeof MOVEMENTS = {
  ...MOVEMENTS,
  filters: {
    ...MOVEMENTS.filters,
    reason: (text) => ({ from: null, where: containsSql(REASON, text.pattern()) }),
  },
  sorts: { ...MOVEMENTS.sorts, createdAt: ['m.id'] },
};
