import type { AskedMovement } from '../application/record-movement';

/** A movement with nothing that may be left out, but for what is changed. */
export function aMovement(
  changes: Partial<AskedMovement> & Pick<AskedMovement, 'inventoryId'>,
): AskedMovement {
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
