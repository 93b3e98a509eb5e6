import { AppError, FINE_MAX } from '@counterfoil/kernel';
import { availableOf, type StockLevel, type StockPlace } from './stock-record';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INSUFFICIENT_STOCK: true;
  }
}

/** Spec: Inventory movements. */
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

/** How many times its quantity a movement adds to the quantity of the record, and to what of it is reserved. */
export interface Effect {
  readonly quantity: -1 | 0 | 1;
  readonly reserved: -1 | 0 | 1;
}

/** What each type does to the record that it is asked of (decisions §8). */
export const EFFECTS: Readonly<Record<MovementType, Effect>> = {
  ADD: { quantity: 1, reserved: 0 },
  SUBTRACT: { quantity: -1, reserved: 0 },
  // Relative, and upwards: a correction downwards is a SUBTRACT.
  ADJUST: { quantity: 1, reserved: 0 },
  TRANSFER: { quantity: -1, reserved: 0 },
  RESERVE: { quantity: 0, reserved: 1 },
  RELEASE: { quantity: 0, reserved: -1 },
  RELEASE_AND_SUBTRACT: { quantity: -1, reserved: -1 },
  ADD_AND_RESERVE: { quantity: 1, reserved: 1 },
};

/** What a TRANSFER does to the record that it is to. */
export const TRANSFER_IN: Effect = { quantity: 1, reserved: 0 };

/** Whether no goods move: what is there is only promised, or no longer. */
export function isVirtual(type: MovementType): boolean {
  return EFFECTS[type].quantity === 0;
}

/** What is known of a movement besides what it does to the stock. */
export interface MovementDetails {
  readonly movementType: MovementType;
  /** Above zero, to 4 decimals; the direction comes from the type. */
  readonly quantity: number;
  /** What one unit cost at the time. */
  readonly unitPrice: number | null;
  readonly reason: string | null;
  /** What caused it, and what that is: the id of a sale, say. Nobody checks it. */
  readonly referenceId: number | null;
  readonly referenceType: string | null;
  readonly notes: string | null;
}

/** What one record goes through. */
export interface Step {
  readonly inventoryId: number;
  readonly effect: Effect;
}

/** What became of a record by a step. */
export interface StepTaken extends StockPlace {
  readonly inventoryId: number;
  readonly movementId: number;
  readonly before: StockLevel;
  readonly after: StockLevel;
  readonly lowStockThreshold: number | null;
  readonly createdAt: Date;
}

/** What was done to the record that was asked for and, by a TRANSFER, to the record that it is to. */
export interface StepsTaken {
  readonly source: StepTaken;
  readonly target: StepTaken | null;
}

/**
 * Why a movement cannot be (decisions §8): it would take more than is available, or than is reserved, or no number could
 * say what there would be.
 *
 * @param before the record whose stock does not allow it
 */
export function refusal({ inventoryId, effect }: Step, quantity: number, before: StockLevel): AppError {
  const pool = poolOf(effect);
  if (pool === null) {
    return new AppError('LIMIT_REACHED', `stock record ${inventoryId} would hold more than ${FINE_MAX}`, {
      details: [
        { field: 'quantity', problem: `would make stock record ${inventoryId} hold more than ${FINE_MAX}` },
      ],
    });
  }
  const there = pool === 'reserved' ? before.reservedQuantity : availableOf(before);
  return new AppError('INSUFFICIENT_STOCK', `the movement takes ${quantity} of ${there} ${pool}`, {
    details: [{ field: 'quantity', problem: `must be at most the ${there} that are ${pool}` }],
  });
}

/** What an effect takes of; null when it takes of nothing. */
function poolOf({ quantity, reserved }: Effect): 'available' | 'reserved' | null {
  if (reserved < 0) return 'reserved';
  return quantity < reserved ? 'available' : null;
}
