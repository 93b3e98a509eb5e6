import { AppError } from '@counterfoil/kernel';
import {
  type Effect,
  EFFECTS,
  isVirtual,
  MOVEMENT_TYPES,
  type MovementType,
  createRefusal,
  TRANSFER_IN,
} from './movement';
import { calculateAvailable } from './stock-record';

describe('the effect of a movement (contract §7.3)', () => {
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

  it('is defined for each type and for the target of a transfer', () => {
    expect(table.map(([type]) => type).sort()).toEqual([...MOVEMENT_TYPES].sort());
    expect(TRANSFER_IN).toEqual({ quantity: 1, reserved: 0 });
  });

  it('moves no goods when it only changes reservations', () => {
    expect(MOVEMENT_TYPES.filter(isVirtual)).toEqual(['RESERVE', 'RELEASE']);
  });
});

describe('a refused movement', () => {
  const before = { quantity: 10.3, reservedQuantity: 4.2 };
  const refused = (effect: Effect) => createRefusal({ inventoryId: 7, effect }, 100.5, before);

  it.each(['SUBTRACT', 'TRANSFER', 'RESERVE'] as const)('%s names the available quantity', (type) => {
    expect(refused(EFFECTS[type])).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      message: 'the movement takes 100.5, but only 6.1 are available',
      details: [{ field: 'quantity', problem: 'must be at most 6.1, which is the available quantity' }],
    });
  });

  it.each(['RELEASE', 'RELEASE_AND_SUBTRACT'] as const)('%s names the reserved quantity', (type) => {
    expect(refused(EFFECTS[type])).toMatchObject({
      code: 'INSUFFICIENT_STOCK',
      message: 'the movement takes 100.5, but only 4.2 are reserved',
      details: [{ field: 'quantity', problem: 'must be at most 4.2, which is the reserved quantity' }],
    });
  });

  it.each([EFFECTS.ADD, EFFECTS.ADJUST, EFFECTS.ADD_AND_RESERVE, TRANSFER_IN])(
    'that takes nothing exceeds the maximum: %j',
    (effect) => {
      expect(refused(effect)).toMatchObject({
        code: 'LIMIT_REACHED',
        message:
          'stock record 7 holds 10.3, and would hold more than 9999999999.9999; move less, or use another record',
        details: [{ field: 'quantity' }],
      });
      expect(refused(effect)).toBeInstanceOf(AppError);
    },
  );
});

it('computes the available quantity exactly', () => {
  expect(calculateAvailable({ quantity: 0.3, reservedQuantity: 0.1 })).toBe(0.2);
  expect(calculateAvailable({ quantity: 9_999_999_999.9999, reservedQuantity: 0.0001 })).toBe(
    9_999_999_999.9998,
  );
  expect(Object.is(calculateAvailable({ quantity: 5, reservedQuantity: 5 }), 0)).toBe(true);
});
