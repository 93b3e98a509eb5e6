import type { StepTaken } from '../../domain/movement';

/**
 * What a locked record is to be is computed from the row as it stands once the lock is there, and is written if all
 * records allow it. The ids of movements are given under the lock: those of one record go upwards in the order in which
 * they happened, and so do their times.
 */
export const MOVE = {
  name: 'stock_move',
  text: `
    with steps as (
      select * from unnest($2::bigint[], $3::int[], $4::int[]) with ordinality
        as step (record_id, quantity_sign, reserved_sign, place)
    ), locked as materialized (
      select r.* from stock_records r where r.company_id = $1 and r.id = any ($2) order by r.id for no key update
    ), changes as materialized (
      select r.id, r.product_id, r.warehouse_id, r.low_stock_threshold, s.place,
             (select other.record_id from steps other where other.place <> s.place) as counterpart_id,
             r.quantity as previous_quantity, r.quantity + s.quantity_sign * $5::numeric as new_quantity,
             r.reserved_quantity as previous_reserved_quantity,
             r.reserved_quantity + s.reserved_sign * $5::numeric as new_reserved_quantity,
             greatest($6::timestamptz, r.moved_at) as moved_at
        from locked r join steps s on s.record_id = r.id
    ), judged as materialized (
      select *, 0 <= new_reserved_quantity and new_reserved_quantity <= new_quantity and new_quantity <= $7 as allowed
        from changes
    ), verdict as materialized (
      select count(*) = cardinality($2) and bool_and(allowed) as allowed, max(moved_at) as moved_at from judged
    ), moved as (
      update stock_records r
         set quantity = j.new_quantity, reserved_quantity = j.new_reserved_quantity, moved_at = v.moved_at
        from judged j, verdict v where v.allowed and r.id = j.id
    ), movements as (
      insert into stock_movements (company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity,
        new_quantity, previous_reserved_quantity, new_reserved_quantity, counterpart_record_id, unit_price, reason,
        reference_id, reference_type, notes, created_at)
      select $1, j.id, $8, $9, $5, j.previous_quantity, j.new_quantity, j.previous_reserved_quantity,
             j.new_reserved_quantity, j.counterpart_id, $10, $11, $12, $13, $14, v.moved_at
        from judged j, verdict v where v.allowed order by j.place
      returning id, stock_record_id
    )
    select j.allowed, m.id as "movementId", j.id as "inventoryId", j.product_id as "productId",
           j.warehouse_id as "warehouseId", j.low_stock_threshold as "lowStockThreshold", v.moved_at as "createdAt",
           j.previous_quantity as "previousQuantity", j.new_quantity as "newQuantity",
           j.previous_reserved_quantity as "previousReservedQuantity",
           j.new_reserved_quantity as "newReservedQuantity"
      from judged j cross join verdict v left join movements m on m.stock_record_id = j.id
     order by j.place`,
};

export interface MovedRow extends Omit<StepTaken, 'before' | 'after'> {
  readonly allowed: boolean;
  readonly previousQuantity: number;
  readonly newQuantity: number;
  readonly previousReservedQuantity: number;
  readonly newReservedQuantity: number;
}

export function stepTaken(row: MovedRow): StepTaken {
  const { movementId, inventoryId, productId, warehouseId, lowStockThreshold, createdAt } = row;
  return {
    ...{ movementId, inventoryId, productId, warehouseId, lowStockThreshold, createdAt },
    before: { quantity: row.previousQuantity, reservedQuantity: row.previousReservedQuantity },
    after: { quantity: row.newQuantity, reservedQuantity: row.newReservedQuantity },
  };
}
