import type { TestDatabase } from '@counterfoil/test-harness';

/**
 * The effect of each type on the quantity and on the reserved quantity. A TRANSFER takes from one record and
 * adds to another.
 */
const EFFECTS = `(values
  ('ADD', 1, 0), ('SUBTRACT', -1, 0), ('ADJUST', 1, 0), ('TRANSFER', -1, 0), ('TRANSFER', 1, 0), ('RESERVE', 0, 1),
  ('RELEASE', 0, -1), ('RELEASE_AND_SUBTRACT', -1, -1), ('ADD_AND_RESERVE', 1, 1)) as effect (type, quantity, reserved)`;

/** Queries for broken invariants. Each returns descriptions of the violations. */
const CHECKS = [
  `select 'record ' || r.id || ' is not the sum of its movements' as problem
     from stock_records r left join stock_movements m on m.stock_record_id = r.id group by r.id
   having r.quantity <> coalesce(sum(m.new_quantity - m.previous_quantity), 0)
       or r.reserved_quantity <> coalesce(sum(m.new_reserved_quantity - m.previous_reserved_quantity), 0)`,

  `select 'movement ' || id || ' does not go on from the one before it' as problem
     from (select m.*, lag(m.new_quantity, 1, 0) over w as quantity_before,
                  lag(m.new_reserved_quantity, 1, 0) over w as reserved_before,
                  lag(m.created_at, 1, m.created_at) over w as created_before
             from stock_movements m window w as (partition by m.stock_record_id order by m.id)) m
    where (previous_quantity, previous_reserved_quantity) <> (quantity_before, reserved_before)
       or created_at < created_before`,

  `select 'movement ' || m.id || ' does not do what its type says' as problem from stock_movements m
    where not exists (select from ${EFFECTS} where effect.type = m.movement_type
            and m.new_quantity - m.previous_quantity = effect.quantity * m.quantity
            and m.new_reserved_quantity - m.previous_reserved_quantity = effect.reserved * m.quantity)
       or not (0 <= m.new_reserved_quantity and m.new_reserved_quantity <= m.new_quantity)`,

  `select 'movement ' || m.id || ' is told in ' || count(e.id) || ' events' as problem
     from stock_movements m left join told e on e.company_id = m.company_id and e.movement_id = m.id
      and (e.record_id, e.type, e.quantity, e.new_quantity, e.new_reserved_quantity)
        = (m.stock_record_id, m.movement_type, m.quantity, m.new_quantity, m.new_reserved_quantity)
    group by m.company_id, m.id having count(e.id) <> 1`,

  `select 'event ' || e.id || ' tells of no movement' as problem from told e
    where not exists (select from stock_movements m where m.company_id = e.company_id and m.id = e.movement_id)`,

  `select 'product ' || r.product_id || ' has two records in warehouse ' || r.warehouse_id as problem
     from stock_records r group by r.product_id, r.warehouse_id having count(*) > 1`,
];

/** The reported movements, from the bodies of the events. */
const TOLD = `told as materialized (
  select e.id, e.company_id, (m->>'id')::bigint as movement_id, (m->>'inventoryId')::bigint as record_id,
         m->>'movementType' as type, (m->>'quantity')::numeric as quantity, (m->>'newQuantity')::numeric as new_quantity,
         (m->>'newReservedQuantity')::numeric as new_reserved_quantity
    from outbox_events e cross join lateral (select e.body::jsonb->'data'->'movement' as m) body
   where e.type = 'stock.movement.recorded')`;

/** Returns all inconsistencies in the stock of all companies, from the tables alone. */
export async function stockProblems(database: TestDatabase): Promise<string[]> {
  const found = await Promise.all(
    CHECKS.map((check) => database.query<{ problem: string }>(`with ${TOLD} ${check}`)),
  );
  return found.flat().map(({ problem }) => problem);
}

/** Counts the deadlocks that PostgreSQL has resolved. Callers may not have noticed them. */
export async function deadlocksIn(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  return row!.deadlocks;
}
