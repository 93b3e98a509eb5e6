import { EventCatalogue } from '@counterfoil/outbox';
import type { MovementDetails, StepTaken } from '../domain/movement';
import { createMovementEvents, MOVEMENT_EVENTS, STOCK_EVENTS } from './events';

const DETAILS: MovementDetails = {
  movementType: 'SUBTRACT',
  quantity: 2.5,
  unitPrice: 12.5,
  reason: 'Sold',
  referenceId: 7731,
  referenceType: 'SALE',
  notes: 'A note',
};

function step(changes: Partial<StepTaken> = {}): StepTaken {
  return {
    inventoryId: 57,
    productId: 12,
    warehouseId: 3,
    movementId: 88,
    before: { quantity: 40, reservedQuantity: 30 },
    after: { quantity: 37.5, reservedQuantity: 30 },
    lowStockThreshold: null,
    createdAt: new Date('2026-11-22T14:00:00.127Z'),
    ...changes,
  };
}

const typesOf = (changes: Partial<StepTaken>) =>
  createMovementEvents(5, DETAILS, { source: step(changes), target: null }).map(({ type }) => type);

it('the event of a movement carries its effect, without reason, notes and price', () => {
  const events = createMovementEvents(5, DETAILS, { source: step(), target: null });
  expect(events).toEqual([
    {
      type: 'stock.movement.recorded',
      data: {
        movement: {
          id: 88,
          inventoryId: 57,
          productId: 12,
          warehouseId: 3,
          userId: 5,
          movementType: 'SUBTRACT',
          quantity: 2.5,
          previousQuantity: 40,
          newQuantity: 37.5,
          previousReservedQuantity: 30,
          newReservedQuantity: 30,
          counterpartInventoryId: null,
          referenceId: 7731,
          referenceType: 'SALE',
          createdAt: '2026-11-22T14:00:00.127Z',
        },
      },
    },
  ]);
});

it('a transfer creates two events, the source first', () => {
  const target = step({ inventoryId: 58, movementId: 89 });
  const events = createMovementEvents(
    5,
    { ...DETAILS, movementType: 'TRANSFER' },
    { source: step(), target },
  );
  expect(events).toMatchObject([
    { data: { movement: { id: 88, inventoryId: 57, counterpartInventoryId: 58 } } },
    { data: { movement: { id: 89, inventoryId: 58, counterpartInventoryId: 57 } } },
  ]);
});

describe('stock.low', () => {
  it('carries the stock after the movement', () => {
    const [, low] = createMovementEvents(5, DETAILS, {
      source: step({ lowStockThreshold: 8 }),
      target: null,
    });
    expect(low).toEqual({
      type: 'stock.low',
      data: {
        inventory: {
          id: 57,
          productId: 12,
          warehouseId: 3,
          quantity: 37.5,
          reservedQuantity: 30,
          availableQuantity: 7.5,
          lowStockThreshold: 8,
        },
        movementId: 88,
      },
    });
  });

  it.each([
    ['above the threshold', 7.4999, false],
    ['at the threshold', 7.5, true],
    ['just below the quantity before', 9.9999, true],
    ['at the quantity before: it was low already', 10, false],
    ['below the threshold before and after', 11, false],
    ['without a threshold', null, false],
  ])('%s', (_, lowStockThreshold, isSent) => {
    expect(typesOf({ lowStockThreshold })).toEqual([
      'stock.movement.recorded',
      ...(isSent ? ['stock.low'] : []),
    ]);
  });

  it('is not sent when the stock increases', () => {
    const before = { quantity: 0, reservedQuantity: 0 };
    const after = { quantity: 5, reservedQuantity: 0 };
    expect(typesOf({ lowStockThreshold: 5, before, after })).toEqual(['stock.movement.recorded']);
  });

  it('can be sent at a threshold of zero', () => {
    const after = { quantity: 30, reservedQuantity: 30 };
    expect(typesOf({ lowStockThreshold: 0, after })).toContain('stock.low');
  });
});

it('all events are in the catalogue', () => {
  const source = step({ lowStockThreshold: 8 });
  const catalogue = new EventCatalogue({ ...MOVEMENT_EVENTS, ...STOCK_EVENTS });
  for (const { type, data } of createMovementEvents(5, DETAILS, { source, target: null })) {
    expect(catalogue.has(type)).toBe(true);
    expect(Object.keys(data)).toEqual(Object.keys(catalogue.find(type).example.data));
  }
});
