import type { MovementDetails, StepsTaken, StepTaken } from './movement';
import { availableOf } from './stock-record';

/** What `Outbox.append` takes, but for the company. */
export interface StockEvent {
  readonly type: 'stock.movement.recorded' | 'stock.low';
  readonly data: object;
}

/** What a movement is told of: each step, and each record that came down to its threshold. */
export function eventsOf(
  userId: number,
  details: MovementDetails,
  { source, target }: StepsTaken,
): StockEvent[] {
  const steps = target ? [source, target] : [source];
  const tell = (step: StepTaken, other: StepTaken | null) =>
    recorded(userId, details, { step, counterpartInventoryId: other?.inventoryId ?? null });
  return [
    tell(source, target),
    ...(target ? [tell(target, source)] : []),
    ...steps.filter(becameLow).map(low),
  ];
}

/** Neither what it cost nor what was written about it: those stay in the service. */
function recorded(
  userId: number,
  details: MovementDetails,
  {
    step,
    counterpartInventoryId,
  }: { readonly step: StepTaken; readonly counterpartInventoryId: number | null },
): StockEvent {
  const { movementType, quantity, referenceId, referenceType } = details;
  const { before, after } = step;
  return {
    type: 'stock.movement.recorded',
    data: {
      movement: {
        id: step.movementId,
        inventoryId: step.inventoryId,
        productId: step.productId,
        warehouseId: step.warehouseId,
        userId,
        movementType,
        quantity,
        previousQuantity: before.quantity,
        newQuantity: after.quantity,
        previousReservedQuantity: before.reservedQuantity,
        newReservedQuantity: after.reservedQuantity,
        counterpartInventoryId,
        referenceId,
        referenceType,
        createdAt: step.createdAt.toISOString(),
      },
    },
  };
}

function low({
  inventoryId,
  productId,
  warehouseId,
  after,
  lowStockThreshold,
  movementId,
}: StepTaken): StockEvent {
  const { quantity, reservedQuantity } = after;
  const availableQuantity = availableOf(after);
  return {
    type: 'stock.low',
    data: {
      inventory: {
        id: inventoryId,
        productId,
        warehouseId,
        quantity,
        reservedQuantity,
        availableQuantity,
        lowStockThreshold,
      },
      movementId,
    },
  };
}

/** Once, on the way down: not again until there was more than the threshold in between. */
function becameLow({ before, after, lowStockThreshold }: StepTaken): boolean {
  if (lowStockThreshold === null) return false;
  return availableOf(before) > lowStockThreshold && availableOf(after) <= lowStockThreshold;
}
