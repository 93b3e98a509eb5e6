import { type RowOf, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type AuditedRecords, StockAudit } from '../../application/ports/stock-audit';
import { EFFECTS, TRANSFER_IN } from '../../domain/movement';
import { AUDIT } from './stock-audit.sql';

/** The effects on stock of each movement type. A TRANSFER has two: it takes from one stock record and adds to another. */
const ALLOWED_EFFECTS = [...Object.entries(EFFECTS), ['TRANSFER', TRANSFER_IN] as const].map(
  ([type, effect]) => ({
    type,
    ...effect,
  }),
);

@Injectable()
export class PostgresStockAudit extends StockAudit {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async audit(afterId: number, limit: number): Promise<AuditedRecords> {
    const rows = await this.sql.rows(AUDIT, { afterId, limit, effects: ALLOWED_EFFECTS });
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

function disagrees(row: RowOf<typeof AUDIT>): boolean {
  const isMoved = row.quantity === row.movedQuantity && row.reservedQuantity === row.movedReservedQuantity;
  return !isMoved || row.broken !== null;
}
