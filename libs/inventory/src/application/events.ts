import {
  choice,
  defineEvents,
  formatted,
  integer,
  type JsonSchema,
  type NewEvent,
  orNull,
  text,
  titled,
} from '@counterfoil/outbox';
import { MOVEMENT_TYPES, type MovementDetails, type StepsTaken, type StepTaken } from '../domain/movement';
import { availableOf } from '../domain/stock-record';

const quantityOf = (description: string): JsonSchema<number> => ({ type: 'number', minimum: 0, description });

const STOCK_PLACE = {
  productId: integer('The numeric id of the product.'),
  warehouseId: integer('The numeric id of the warehouse.'),
};

/** Neither what it cost nor what was written about it: those stay in the service. */
const MOVEMENT = titled('StockMovement', {
  id: integer('The numeric id of the movement.'),
  inventoryId: integer('The numeric id of the stock record.'),
  ...STOCK_PLACE,
  userId: integer('The numeric id of the user who caused it.'),
  movementType: choice(MOVEMENT_TYPES, 'Of a TRANSFER, the quantities before and after tell the direction.'),
  quantity: quantityOf('How much was moved; always positive.'),
  previousQuantity: quantityOf('How much there was.'),
  newQuantity: quantityOf('How much there is since.'),
  previousReservedQuantity: quantityOf('How much of it was reserved.'),
  newReservedQuantity: quantityOf('How much of it is reserved since.'),
  counterpartInventoryId: orNull(integer('Of a TRANSFER: the numeric id of the other stock record.')),
  referenceId: orNull(integer('The id of what caused it, as it was given.')),
  referenceType: orNull(text('What that id refers to, as it was given.')),
  createdAt: formatted('date-time', 'When it was recorded, in UTC.'),
});

export const MOVEMENT_EVENTS = defineEvents({
  'stock.movement.recorded': {
    description: 'A stock movement was recorded; a transfer sends two, one of each stock record.',
    data: { movement: MOVEMENT },
    example: {
      id: 'evt_0d4be6a1f7c3492f8b15e9a0c72d8634',
      created: 1795356000,
      data: {
        movement: {
          id: 88213,
          inventoryId: 57,
          productId: 12,
          warehouseId: 3,
          userId: 5,
          movementType: 'RESERVE',
          quantity: 2.5,
          previousQuantity: 40,
          newQuantity: 40,
          previousReservedQuantity: 28,
          newReservedQuantity: 30.5,
          counterpartInventoryId: null,
          referenceId: 7731,
          referenceType: 'SALE',
          createdAt: '2026-11-22T14:00:00.127Z',
        },
      },
    },
  },
});

const STOCK_RECORD = titled('StockRecord', {
  id: integer('The numeric id of the stock record.'),
  ...STOCK_PLACE,
  quantity: quantityOf('How much there is.'),
  reservedQuantity: quantityOf('How much of it is reserved.'),
  availableQuantity: quantityOf('How much of it is not.'),
  lowStockThreshold: quantityOf('What the available quantity came down to, or below.'),
});

export const STOCK_EVENTS = defineEvents({
  'stock.low': {
    description: 'What is available of a stock record came down to its lowStockThreshold.',
    data: { inventory: STOCK_RECORD, movementId: integer('The numeric id of the movement that did it.') },
    example: {
      id: 'evt_e91c05f83b2a4d7796f4d1b8507ea32c',
      created: 1795356000,
      data: {
        inventory: {
          id: 57,
          productId: 12,
          warehouseId: 3,
          quantity: 40,
          reservedQuantity: 30.5,
          availableQuantity: 9.5,
          lowStockThreshold: 10,
        },
        movementId: 88213,
      },
    },
  },
});

declare module '@counterfoil/outbox' {
  interface ContextEvents {
    readonly movements: typeof MOVEMENT_EVENTS;
    readonly stock: typeof STOCK_EVENTS;
  }
}

/** The events of a movement: one for each step, and one for each record that came down to its threshold. */
export function eventsOf(
  userId: number,
  details: MovementDetails,
  { source, target }: StepsTaken,
): NewEvent[] {
  const steps = target ? [source, target] : [source];
  const tell = (step: StepTaken, other: StepTaken | null) =>
    recorded(userId, details, { step, counterpartInventoryId: other?.inventoryId ?? null });
  return [
    tell(source, target),
    ...(target ? [tell(target, source)] : []),
    ...steps.filter(becameLow).map(low),
  ];
}

function recorded(
  userId: number,
  details: MovementDetails,
  {
    step,
    counterpartInventoryId,
  }: { readonly step: StepTaken; readonly counterpartInventoryId: number | null },
): NewEvent {
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
}: LowStep): NewEvent {
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

type LowStep = StepTaken & { readonly lowStockThreshold: number };

/** Once, on the way down: not again until there was more than the threshold in between. */
function becameLow(step: StepTaken): step is LowStep {
  const { before, after, lowStockThreshold } = step;
  if (lowStockThreshold === null) return false;
  return availableOf(before) > lowStockThreshold && availableOf(after) <= lowStockThreshold;
}
