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
import { calculateAvailable } from '../domain/stock-record';

const quantitySchema = (description: string): JsonSchema<number> => ({
  type: 'number',
  minimum: 0,
  description,
});

const STOCK_PLACE = {
  productId: integer('The numeric id of the product.'),
  warehouseId: integer('The numeric id of the warehouse.'),
};

/** Without price, reason and notes: these must not leave the service. */
const MOVEMENT = titled('StockMovement', {
  id: integer('The numeric id of the movement.'),
  inventoryId: integer('The numeric id of the stock record.'),
  ...STOCK_PLACE,
  userId: integer('The numeric id of the user who caused it.'),
  movementType: choice(
    MOVEMENT_TYPES,
    'For a TRANSFER, compare the quantities before and after to see the direction.',
  ),
  quantity: quantitySchema('The quantity moved; always positive.'),
  previousQuantity: quantitySchema('The quantity before.'),
  newQuantity: quantitySchema('The quantity after.'),
  previousReservedQuantity: quantitySchema('The reserved quantity before.'),
  newReservedQuantity: quantitySchema('The reserved quantity after.'),
  counterpartInventoryId: orNull(
    integer('For a TRANSFER, the numeric id of the other stock record; otherwise null.'),
  ),
  referenceId: orNull(integer('The id of its cause, as the caller gave it.')),
  referenceType: orNull(text('The type of its cause, as the caller gave it.')),
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
  quantity: quantitySchema('The quantity in stock.'),
  reservedQuantity: quantitySchema('The reserved quantity.'),
  availableQuantity: quantitySchema('The quantity that is not reserved.'),
  lowStockThreshold: quantitySchema('The threshold that the available quantity reached or fell below.'),
});

export const STOCK_EVENTS = defineEvents({
  'stock.low': {
    description: 'The available quantity of a stock record fell to its lowStockThreshold or below.',
    data: { inventory: STOCK_RECORD, movementId: integer('The numeric id of the movement that caused it.') },
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

/** Creates one event for each step, and one for each record that fell to its threshold. */
export function createMovementEvents(
  userId: number,
  details: MovementDetails,
  { source, target }: StepsTaken,
): NewEvent[] {
  const steps = target ? [source, target] : [source];
  const createRecorded = (step: StepTaken, other: StepTaken | null) =>
    createRecordedEvent(userId, details, { step, counterpartInventoryId: other?.inventoryId ?? null });
  return [
    createRecorded(source, target),
    ...(target ? [createRecorded(target, source)] : []),
    ...steps.filter(becameLow).map(createLowEvent),
  ];
}

function createRecordedEvent(
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

function createLowEvent({
  inventoryId,
  productId,
  warehouseId,
  after,
  lowStockThreshold,
  movementId,
}: LowStep): NewEvent {
  const { quantity, reservedQuantity } = after;
  const availableQuantity = calculateAvailable(after);
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

/** True only for the step that crosses the threshold downwards. */
function becameLow(step: StepTaken): step is LowStep {
  const { before, after, lowStockThreshold } = step;
  if (lowStockThreshold === null) return false;
  return calculateAvailable(before) > lowStockThreshold && calculateAvailable(after) <= lowStockThreshold;
}
