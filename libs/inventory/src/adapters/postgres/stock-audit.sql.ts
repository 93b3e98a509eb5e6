import { statement } from '@counterfoil/database';
import type { Effect } from '../../domain/movement';

interface AuditedRow {
  readonly id: number;
  readonly companyId: number;
  readonly quantity: number;
  readonly reservedQuantity: number;
  readonly movements: number;
  readonly movedQuantity: number;
  readonly movedReservedQuantity: number;
  readonly broken: number | null;
}

/**
 * Reads the records after an id with the sums of their movements, and the first movement that is
 * inconsistent.
 */
export const AUDIT = statement<
  {
    readonly afterId: number;
    readonly limit: number;
    readonly effects: readonly (Effect & { readonly type: string })[];
  },
  AuditedRow
>(
  'stock_records: audit',
  `with records as materialized (
    select * from stock_records where id > :afterId order by id limit :limit
  ), effects as materialized (
    select * from unnest(:effects.type::text[], :effects.quantity::int[], :effects.reserved::int[]) as effect (movement_type, quantity, reserved)
  ), steps as (
    select m.*, lag(m.new_quantity, 1, 0) over w as quantity_before,
           lag(m.new_reserved_quantity, 1, 0) over w as reserved_before,
           lag(m.created_at, 1, m.created_at) over w as time_before
      from records r join stock_movements m on m.company_id = r.company_id and m.stock_record_id = r.id
    window w as (partition by m.stock_record_id order by m.id)
  ), sums as (
    select stock_record_id, count(*) as movements, sum(new_quantity - previous_quantity) as quantity,
           sum(new_reserved_quantity - previous_reserved_quantity) as reserved_quantity,
           min(id) filter (where (previous_quantity, previous_reserved_quantity)
                              is distinct from (quantity_before, reserved_before)
                              or not exists (select from effects e where e.movement_type = steps.movement_type
                                   and new_quantity - previous_quantity = e.quantity * steps.quantity
                                   and new_reserved_quantity - previous_reserved_quantity
                                     = e.reserved * steps.quantity)
                              or created_at < time_before
                              or (movement_type = 'TRANSFER') is distinct from exists (
                                   select from stock_movements other
                                    where other.company_id = steps.company_id
                                      and other.transaction_id = steps.transaction_id
                                      and other.stock_record_id = steps.counterpart_record_id
                                      and other.counterpart_record_id = steps.stock_record_id
                                      and other.movement_type = 'TRANSFER'
                                      and other.new_quantity - other.previous_quantity
                                        = steps.previous_quantity - steps.new_quantity)) as broken
      from steps group by stock_record_id
  )
  select r.id, r.company_id as "companyId", r.quantity, r.reserved_quantity as "reservedQuantity",
         coalesce(s.movements, 0) as movements, coalesce(s.quantity, 0) as "movedQuantity",
         coalesce(s.reserved_quantity, 0) as "movedReservedQuantity", s.broken
    from records r left join sums s on s.stock_record_id = r.id order by r.id`,
);
