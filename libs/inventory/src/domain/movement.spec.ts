import { AppError } from '@counterfoil/kernel';
import {
  type Effect,
  EFFECTS,
  isVirtual,
  MOVEMENT_TYPES,
  type MovementType,
  refusal,
  TRANSFER_IN,
} from './movement';
import { availableOf } from './stock-record';

describe('the effect of a movement (decisions §8)', () => {
  const table: readonly (readonly [MovementType, quantity: number, reserved: number])[] = [
    ['ADD', 1, 0],
    ['SUBTRACT', -1, 0],
    ['ADJUST', 1, 0],
    ['TRANSFER', -1, 0],
    ['RESERVE', 0, 1],
    ['RELEASE', 0, -1],
    ['RELEASE_AND_SUBTRACT', -1, -1],
    ['ADD_AND_RESERVE', 1, 1],
  ];

  it.each(table)(
    '%s adds %i times its quantity, and %i times to what is reserved',
    (type, quantity, reserved) => {
      expect(EFFECTS[type]).toEqual({ quantity, reserved });
    },
  );

  it('is there for each type, and for where a transfer goes', () => {
    expect(table.map(([type]) => type).sort()).toEqual([...MOVEMENT_TYPES].sort());
    expect(TRANSFER_IN).toEqual({ quantity: 1, reserved: 0 });
  });

  it('moves no goods where it only promises them', () => {
    expect(MOVEMENT_TYPES.filter(isVirtual)).toEqual(['RESERVE', 'RELEASE']);
  });
});

describe('a refused movement', () => {
  const before = { quantity: 10.3, reservedQuantity: 4.2 };
  const refused = (effect: Effect) => refusal({ inventoryId: 7, effect }, 100.5, before);

  it.each(['SUBTRACT', 'TRANSFER', 'RESERVE'] as const)('%s says what is available', (type) => {
    expect(refused(EFFECTS[type])).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      message: 'the movement takes 100.5 of 6.1 available',
      details: [{ field: 'quantity', problem: 'must be at most the 6.1 that are available' }],
    });
  });

  it.each(['RELEASE', 'RELEASE_AND_SUBTRACT'] as const)('%s says what is reserved', (type) => {
    expect(refused(EFFECTS[type])).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      message: 'the movement takes 100.5 of 4.2 reserved',
      details: [{ field: 'quantity', problem: 'must be at most the 4.2 that are reserved' }],
    });
  });

  it.each([EFFECTS.ADD, EFFECTS.ADJUST, EFFECTS.ADD_AND_RESERVE, TRANSFER_IN])(
    'that takes nothing is one too many: %j',
    (effect) => {
      expect(refused(effect)).toMatchObject({
        code: 'LIMIT_REACHED',
        message: 'stock record 7 would hold more than 9999999999.9999',
        details: [{ field: 'quantity' }],
      });
      expect(refused(effect)).toBeInstanceOf(AppError);
    },
  );
});

it('what is available is exact', () => {
  expect(availableOf({ quantity: 0.3, reservedQuantity: 0.1 })).toBe(0.2);
  expect(availableOf({ quantity: 9_999_999_999.9999, reservedQuantity: 0.0001 })).toBe(9_999_999_999.9998);
  expect(Object.is(availableOf({ quantity: 5, reservedQuantity: 5 }), 0)).toBe(true);
});
