import { byShortage, effectOf, isLow, MOVEMENT_TYPES } from '../src/screens/stock/effect.ts';

const before = { quantity: 40, reserved: 28 };

it.each([
  ['ADD', 50, 28, 22],
  ['ADJUST', 50, 28, 22],
  ['SUBTRACT', 30, 28, 2],
  ['TRANSFER', 30, 28, 2],
  ['RESERVE', 40, 38, 2],
  ['RELEASE', 40, 18, 22],
  ['RELEASE_AND_SUBTRACT', 30, 18, 12],
  ['ADD_AND_RESERVE', 50, 38, 12],
] as const)('%s of 10 leaves %d, %d of them reserved', (type, quantity, reserved, available) => {
  expect(effectOf(type, 10, before)).toEqual({ quantity, reserved, available, short: null });
});

it('knows every type', () => {
  expect(MOVEMENT_TYPES).toHaveLength(8);
});

it('says what does not suffice, and how much there is', () => {
  expect(effectOf('SUBTRACT', 12.0001, before).short).toEqual({ of: 'available', most: 12 });
  expect(effectOf('RESERVE', 13, before).short).toEqual({ of: 'available', most: 12 });
  expect(effectOf('RELEASE', 29, before).short).toEqual({ of: 'reserved', most: 28 });
  expect(effectOf('RELEASE_AND_SUBTRACT', 29, before).short).toEqual({ of: 'reserved', most: 28 });
});

it('adds decimals exactly', () => {
  expect(effectOf('ADD', 0.2, { quantity: 0.1, reserved: 0 })).toMatchObject({
    quantity: 0.3,
    available: 0.3,
  });
});

it('is low at the threshold, and never without one', () => {
  expect(isLow({ availableQuantity: 12, lowStockThreshold: 12 })).toBe(true);
  expect(isLow({ availableQuantity: 12.0001, lowStockThreshold: 12 })).toBe(false);
  expect(isLow({ availableQuantity: 0, lowStockThreshold: null })).toBe(false);
});

it('sorts what lacks most first', () => {
  const levels = [
    { availableQuantity: 9, lowStockThreshold: 10 },
    { availableQuantity: 0, lowStockThreshold: 100 },
    { availableQuantity: 1, lowStockThreshold: 10 },
  ];
  expect([...levels].sort(byShortage).map((one) => one.availableQuantity)).toEqual([0, 1, 9]);
});
