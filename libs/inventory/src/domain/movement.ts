import { AppError, UNIT_MAX } from '@counterfoil/kernel';
import { calculateAvailable, type StockLevel, type StockPlace } from './stock-record';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INSUFFICIENT_STOCK: true;
  }
}

/** The types of contract §7.3. */
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

/**
 * The factors by which a movement's quantity is added to a record's quantity and to its reserved quantity.
 */
export interface Effect {
  readonly quantity: -1 | 0 | 1;
  readonly reserved: -1 | 0 | 1;
}

/** The effect of each type on the record that the caller names (contract §7.3). */
export const EFFECTS: Readonly<Record<MovementType, Effect>> = {
  ADD: { quantity: 1, reserved: 0 },
  SUBTRACT: { quantity: -1, reserved: 0 },
  // Adds to the stock; use SUBTRACT for a downward correction.
  ADJUST: { quantity: 1, reserved: 0 },
  TRANSFER: { quantity: -1, reserved: 0 },
  RESERVE: { quantity: 0, reserved: 1 },
  RELEASE: { quantity: 0, reserved: -1 },
  RELEASE_AND_SUBTRACT: { quantity: -1, reserved: -1 },
  ADD_AND_RESERVE: { quantity: 1, reserved: 1 },
};

/** The effect of a TRANSFER on the target record. */
export const TRANSFER_IN: Effect = { quantity: 1, reserved: 0 };

/** True for movements that only change reservations and move no goods. */
export function isVirtual(type: MovementType): boolean {
  return EFFECTS[type].quantity === 0;
}

export interface MovementDetails {
  readonly movementType: MovementType;
  /** Above zero, with up to 4 decimals. The type determines the direction. */
  readonly quantity: number;
  /** The cost of one unit at the time of the movement. */
  readonly unitPrice: number | null;
  readonly reason: string | null;
  /** The id of the cause, for example of a sale. It is not checked. */
  readonly referenceId: number | null;
  readonly referenceType: string | null;
  readonly notes: string | null;
}

/** The effect of a movement on one record. */
export interface Step {
  readonly inventoryId: number;
  readonly effect: Effect;
}

/** A step with the record's stock before and after it. */
export interface StepTaken extends StockPlace {
  readonly inventoryId: number;
  readonly movementId: number;
  readonly before: StockLevel;
  readonly after: StockLevel;
  readonly lowStockThreshold: number | null;
  readonly createdAt: Date;
}

export interface StepsTaken {
  readonly source: StepTaken;
  /** The step of a TRANSFER's target record; otherwise null. */
  readonly target: StepTaken | null;
}

/**
 * Creates the error of a refused movement (contract §7.6): it would take more than is available or reserved,
 * or the stock would exceed its maximum.
 *
 * @param before the stock of the record that refuses it
 */
export function createRefusal({ inventoryId, effect }: Step, quantity: number, before: StockLevel): AppError {
  const pool = findPool(effect);
  if (pool === null) {
    const held = `stock record ${inventoryId} holds ${before.quantity}, and would hold more than ${UNIT_MAX}`;
    return new AppError('LIMIT_REACHED', `${held}; move less, or use another record`, {
      details: [
        { field: 'quantity', problem: `would make stock record ${inventoryId} hold more than ${UNIT_MAX}` },
      ],
    });
  }
  const inPool = pool === 'reserved' ? before.reservedQuantity : calculateAvailable(before);
  return new AppError(
    'INSUFFICIENT_STOCK',
    `the movement takes ${quantity}, but only ${inPool} are ${pool}`,
    {
      details: [{ field: 'quantity', problem: `must be at most ${inPool}, which is the ${pool} quantity` }],
    },
  );
}

/** Returns the quantity from which an effect takes. Null when it takes from none. */
function findPool({ quantity, reserved }: Effect): 'available' | 'reserved' | null {
  if (reserved < 0) return 'reserved';
  return quantity < reserved ? 'available' : null;
}
