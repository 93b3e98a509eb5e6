import type { RecordMovementInput } from '../application/record-movement';

/** Creates an ADD of one unit, without optional fields, and applies the changes. */
export function aMovement(
  changes: Partial<RecordMovementInput> & Pick<RecordMovementInput, 'inventoryId'>,
): RecordMovementInput {
  return {
    movementType: 'ADD',
    quantity: 1,
    targetWarehouseId: null,
    unitPrice: null,
    reason: null,
    referenceId: null,
    referenceType: null,
    notes: null,
    ...changes,
  };
}
