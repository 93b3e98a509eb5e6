/** As the API lists them. */
export const MOVEMENT_TYPES = [
  'ADD',
  'SUBTRACT',
  'ADJUST',
  'TRANSFER',
  'RESERVE',
  'RELEASE',
  'RELEASE_AND_SUBTRACT',
  'ADD_AND_RESERVE',
] as const;

export type MovementType = (typeof MOVEMENT_TYPES)[number];

export interface Amounts {
  readonly quantity: number;
  readonly reserved: number;
}

export interface Effect extends Amounts {
  readonly available: number;
  /** The kind of stock that would not suffice, and how much of it there is; null if it does. */
  readonly short: { readonly of: 'available' | 'reserved'; readonly most: number } | null;
}

/** The effect of each type on the quantity and to the reserved part (docs/inventory.md, "Movements"). */
const SIGNS: Readonly<Record<MovementType, readonly [quantity: number, reserved: number]>> = {
  ADD: [1, 0],
  ADJUST: [1, 0],
  SUBTRACT: [-1, 0],
  TRANSFER: [-1, 0],
  RESERVE: [0, 1],
  RELEASE: [0, -1],
  RELEASE_AND_SUBTRACT: [-1, -1],
  ADD_AND_RESERVE: [1, 1],
};

/** Quantities have at most 4 decimals: their sums are written as such, too. */
const exact = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Computes the amounts of a stock record after a movement. */
export function effectOf(type: MovementType, moved: number, before: Amounts): Effect {
  const [quantitySign, reservedSign] = SIGNS[type];
  const quantity = exact(before.quantity + quantitySign * moved);
  const reserved = exact(before.reserved + reservedSign * moved);
  const available = exact(quantity - reserved);
  const most = { available: exact(before.quantity - before.reserved), reserved: before.reserved };
  const of = reserved < 0 ? 'reserved' : available < 0 ? 'available' : null;
  return { quantity, reserved, available, short: of && { of, most: most[of] } };
}

interface Levels {
  readonly availableQuantity: number;
  readonly lowStockThreshold: number | null;
}

export const isLow = ({ availableQuantity, lowStockThreshold }: Levels): boolean =>
  lowStockThreshold !== null && availableQuantity <= lowStockThreshold;

/** How far below its threshold a record is, the furthest first. */
export const byShortage = (one: Levels, other: Levels): number => shortageOf(other) - shortageOf(one);

const shortageOf = ({ availableQuantity, lowStockThreshold }: Levels): number =>
  (lowStockThreshold ?? 0) === 0 ? 1 : 1 - availableQuantity / (lowStockThreshold ?? 1);
