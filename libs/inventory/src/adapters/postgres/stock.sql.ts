import { statement } from '@counterfoil/database';
import type { Caller } from '@counterfoil/kernel';
import type { Destination, NewMovement } from '../../application/ports/stock.repository';
import type { Step, StepTaken } from '../../domain/movement';
import type { StockPlace, StockRecord } from '../../domain/stock-record';
import type { Warehouse } from '../../domain/warehouse';

interface OfCompany {
  readonly companyId: number;
}

export const NEXT_WAREHOUSES = statement<
  OfCompany & { readonly after: number; readonly limit: number },
  Warehouse
>(
  'warehouses: next',
  `select id, name, address_id as "addressId", created_at as "createdAt"
     from warehouses where company_id = :companyId and id > :after order by id limit :limit`,
);

export const INSERT_RECORD = statement<
  OfCompany & {
    readonly record: StockPlace & Pick<StockRecord, 'lowStockThreshold'> & { readonly createdAt: Date };
  },
  { readonly id: number }
>(
  'stock_records: insert',
  `insert into stock_records (company_id, product_id, warehouse_id, low_stock_threshold, moved_at, created_at)
   values (:companyId, :record.productId, :record.warehouseId, :record.lowStockThreshold, :record.createdAt,
     :record.createdAt)
   on conflict (product_id, warehouse_id) do nothing returning id`,
);

export const FIND_RECORD = statement<OfCompany & StockPlace, { readonly id: number }>(
  'stock_records: find',
  `select id from stock_records
    where company_id = :companyId and product_id = :productId and warehouse_id = :warehouseId`,
);

export const SET_THRESHOLD = statement<
  OfCompany & { readonly id: number; readonly threshold: number | null; readonly isGiven: boolean }
>(
  'stock_records: set threshold',
  `update stock_records set low_stock_threshold = case when :isGiven then :threshold else low_stock_threshold end
    where company_id = :companyId and id = :id`,
);

export const FIND_DESTINATION = statement<
  OfCompany & { readonly inventoryId: number; readonly warehouseId: number },
  Destination
>(
  'stock_records: destination',
  `select source.product_id as "productId", source.warehouse_id as "sourceWarehouseId", w.id as "warehouseId",
          target.id as "inventoryId"
     from stock_records source
     left join warehouses w on w.company_id = source.company_id and w.id = :warehouseId
     left join stock_records target on target.product_id = source.product_id and target.warehouse_id = w.id
    where source.company_id = :companyId and source.id = :inventoryId`,
  { prepared: true },
);

/**
 * Locks the records, computes their new state from the locked rows, and writes it if all records allow their
 * step. Ids and times of movements are assigned under the lock, so within a record both increase in the order
 * of the movements.
 */
export const MOVE = statement<
  {
    readonly caller: Caller;
    readonly steps: readonly Step[];
    readonly movement: NewMovement;
    readonly quantityMax: number;
  },
  Omit<StepTaken, 'before' | 'after'> & {
    readonly allowed: boolean;
    readonly previousQuantity: number;
    readonly newQuantity: number;
    readonly previousReservedQuantity: number;
    readonly newReservedQuantity: number;
  }
>(
  'stock_movements: move',
  `with steps as (
     select * from unnest(:steps.inventoryId::bigint[], :steps.effect.quantity::int[], :steps.effect.reserved::int[])
       with ordinality as step (record_id, quantity_sign, reserved_sign, place)
   ), locked as materialized (
     select r.* from stock_records r
      where r.company_id = :caller.companyId and r.id = any (:steps.inventoryId) order by r.id for no key update
   ), changes as materialized (
     select r.id, r.product_id, r.warehouse_id, r.low_stock_threshold, s.place,
            (select other.record_id from steps other where other.place <> s.place) as counterpart_id,
            r.quantity as previous_quantity,
            r.quantity + s.quantity_sign * :movement.details.quantity::numeric as new_quantity,
            r.reserved_quantity as previous_reserved_quantity,
            r.reserved_quantity + s.reserved_sign * :movement.details.quantity::numeric as new_reserved_quantity,
            greatest(:movement.at::timestamptz, r.moved_at) as moved_at
       from locked r join steps s on s.record_id = r.id
   ), judged as materialized (
     select *, 0 <= new_reserved_quantity and new_reserved_quantity <= new_quantity
               and new_quantity <= :quantityMax as allowed
       from changes
   ), verdict as materialized (
     select count(*) = cardinality(:steps.inventoryId) and bool_and(allowed) as allowed, max(moved_at) as moved_at
       from judged
   ), moved as (
     update stock_records r
        set quantity = j.new_quantity, reserved_quantity = j.new_reserved_quantity, moved_at = v.moved_at
       from judged j, verdict v where v.allowed and r.id = j.id
   ), movements as (
     insert into stock_movements (company_id, stock_record_id, user_id, movement_type, quantity, previous_quantity,
       new_quantity, previous_reserved_quantity, new_reserved_quantity, counterpart_record_id, unit_price, reason,
       reference_id, reference_type, notes, created_at)
     select :caller.companyId, j.id, :caller.userId, :movement.details.movementType, :movement.details.quantity,
            j.previous_quantity, j.new_quantity, j.previous_reserved_quantity, j.new_reserved_quantity,
            j.counterpart_id, :movement.details.unitPrice, :movement.details.reason, :movement.details.referenceId,
            :movement.details.referenceType, :movement.details.notes, v.moved_at
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
  { prepared: true },
);
