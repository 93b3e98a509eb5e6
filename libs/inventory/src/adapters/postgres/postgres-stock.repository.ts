import { type RowOf, Sql, within } from '@counterfoil/database';
import { type Caller, UNIT_MAX, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type Destination,
  type Moved,
  type NewMovement,
  StockRepository,
} from '../../application/ports/stock.repository';
import type { StepTaken } from '../../domain/movement';
import type { StockPlace, StockRecord } from '../../domain/stock-record';
import { FIND_DESTINATION, FIND_RECORD, INSERT_RECORD, MOVE, SET_THRESHOLD } from './stock.sql';

@Injectable()
export class PostgresStockRepository extends StockRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async ensure(
    tx: Transaction,
    companyId: number,
    record: StockPlace & Pick<StockRecord, 'lowStockThreshold'> & { readonly createdAt: Date },
  ): Promise<{ readonly id: number; readonly alreadyExists: boolean }> {
    const made = await within(tx).first(INSERT_RECORD, { companyId, record });
    if (made) return { id: made.id, alreadyExists: false };
    // A separate statement takes a new snapshot, which includes a record that another transaction just
    // committed.
    const { productId, warehouseId } = record;
    const { id } = await within(tx).only(FIND_RECORD, { companyId, productId, warehouseId });
    return { id, alreadyExists: true };
  }

  override async move(tx: Transaction, caller: Caller, movement: NewMovement): Promise<Moved | null> {
    const { source, target } = movement;
    const steps = target ? [source, target] : [source];
    const rows = await within(tx).rows(MOVE, { caller, steps, movement, quantityMax: UNIT_MAX });
    const [atSource, atTarget] = rows.map((row) => ({ ...toStepTaken(row), allowed: row.allowed }));
    if (!atSource || (target && !atTarget)) return null;
    if (!atSource.allowed) return { refused: source, before: atSource.before };
    if (target && atTarget && !atTarget.allowed) return { refused: target, before: atTarget.before };
    return { source: atSource, target: atTarget ?? null };
  }

  override async setThreshold(
    tx: Transaction,
    companyId: number,
    id: number,
    lowStockThreshold: number | null | undefined,
  ): Promise<boolean> {
    const isGiven = lowStockThreshold !== undefined;
    const threshold = lowStockThreshold ?? null;
    return (await within(tx).changed(SET_THRESHOLD, { companyId, id, threshold, isGiven })) > 0;
  }

  override findDestination(
    companyId: number,
    inventoryId: number,
    warehouseId: number,
  ): Promise<Destination | null> {
    return this.sql.first(FIND_DESTINATION, { companyId, inventoryId, warehouseId });
  }
}

function toStepTaken(row: RowOf<typeof MOVE>): StepTaken {
  const { movementId, inventoryId, productId, warehouseId, lowStockThreshold, createdAt } = row;
  return {
    ...{ movementId, inventoryId, productId, warehouseId, lowStockThreshold, createdAt },
    before: { quantity: row.previousQuantity, reservedQuantity: row.previousReservedQuantity },
    after: { quantity: row.newQuantity, reservedQuantity: row.newReservedQuantity },
  };
}
