import {
  type AskedMovement,
  availableOf,
  isVirtual,
  type MovementRow,
  type StepsTaken,
  type StockRecord,
  type Warehouse,
} from '@counterfoil/inventory';
import type {
  MovementRowBody,
  RecordedMovementBody,
  RecordedTransferBody,
  StockRecordBody,
  WarehouseBody,
} from './inventory.answers';
import type { CreateMovementBody } from './inventory.dto';

export function warehouseRow({ createdAt, ...warehouse }: Warehouse): WarehouseBody {
  return { ...warehouse, createdAt: createdAt.toISOString() };
}

export function stockRow({ lowStockThreshold, ...record }: StockRecord): StockRecordBody {
  return { ...record, availableQuantity: availableOf(record), lowStockThreshold };
}

/** What was asked for, with what was left out in its place; an empty optional text counts as left out. */
export function askedMovement(body: CreateMovementBody): AskedMovement {
  const { inventoryId, movementType, quantity } = body;
  return {
    ...{ inventoryId, movementType, quantity },
    targetWarehouseId: movementType === 'TRANSFER' ? (body.targetWarehouseId ?? null) : null,
    unitPrice: body.unitPrice ?? null,
    reason: body.reason || null,
    referenceId: body.referenceId ?? null,
    referenceType: body.referenceType || null,
    notes: body.notes || null,
  };
}

/** Spec: POST /inventory/movements/create. */
export function recordedMovement({
  source: { movementId, before, after },
  target,
}: StepsTaken): RecordedMovementBody | RecordedTransferBody {
  const answer: RecordedMovementBody = {
    success: true,
    movementId,
    previousQuantity: before.quantity,
    newQuantity: after.quantity,
    previousReservedQuantity: before.reservedQuantity,
    newReservedQuantity: after.reservedQuantity,
  };
  if (!target) return answer;
  return {
    ...answer,
    targetInventoryId: target.inventoryId,
    targetPreviousQuantity: target.before.quantity,
    targetNewQuantity: target.after.quantity,
  };
}

/** Spec: Stock movement row. No document moves stock yet, so that none is named. */
export function movementRow(row: MovementRow): MovementRowBody {
  const { productId, userName, createdAt, ...movement } = row;
  const { inventoryId, warehouseId, userId, movementType } = movement;
  return {
    movement: {
      ...movement,
      documentId: null,
      isVirtual: isVirtual(movementType),
      createdAt: createdAt.toISOString(),
    },
    inventory: { id: inventoryId, productId, warehouseId },
    user: { id: userId, name: userName },
  };
}
