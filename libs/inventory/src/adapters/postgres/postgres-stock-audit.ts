import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type AuditedRecords, StockAudit } from '../../application/ports/stock-audit';
import { type Effect, EFFECTS, TRANSFER_IN } from '../../domain/movement';

/** What each type may do: a TRANSFER takes from one record, and gives to the other. */
const ALLOWED: readonly (readonly [type: string, effect: Effect])[] = [
  ...Object.entries(EFFECTS),
  ['TRANSFER', TRANSFER_IN],
];

const AUDIT = `
  with records as materialized (
    select * from stock_records where id > $1 order by id limit $2
  ), effects as materialized (
    select * from unnest($3::text[], $4::int[], $5::int[]) as effect (movement_type, quantity, reserved)
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
    from records r left join sums s on s.stock_record_id = r.id order by r.id`;

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

@Injectable()
export class PostgresStockAudit extends StockAudit {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async audit(afterId: number, limit: number): Promise<AuditedRecords> {
    const types = ALLOWED.map(([type]) => type);
    const signs = (of: keyof Effect) => ALLOWED.map(([, effect]) => effect[of]);
    const parameters = [afterId, limit, types, signs('quantity'), signs('reserved')];
    const rows = await this.sql.rows<AuditedRow>(AUDIT, parameters);
    return {
      records: rows.length,
      movements: rows.reduce((sum, { movements }) => sum + movements, 0),
      lastId: rows.at(-1)?.id ?? afterId,
      disagreements: rows.filter(disagrees).map((row) => ({
        companyId: row.companyId,
        inventoryId: row.id,
        recorded: { quantity: row.quantity, reservedQuantity: row.reservedQuantity },
        moved: { quantity: row.movedQuantity, reservedQuantity: row.movedReservedQuantity },
        brokenMovementId: row.broken,
      })),
    };
  }
}

function disagrees(row: AuditedRow): boolean {
  const isMoved = row.quantity === row.movedQuantity && row.reservedQuantity === row.movedReservedQuantity;
  return !isMoved || row.broken !== null;
}
