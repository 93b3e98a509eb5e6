import {
  type BodyUnderTest,
  choice,
  clearableText,
  id,
  kind,
  quantity,
  required,
  text,
  unitPrice,
} from './invalid-values';

/** Types have only one spelling. */
const movementType = kind([...choice.wrong, '"add"', '"ADD "', '"Transfer"', '"TRANSFER_IN"'], false);
/** 0 is a valid threshold too. */
const threshold = unitPrice;
const movement = {
  inventoryId: required(id),
  movementType: required(movementType),
  quantity: required(quantity),
  unitPrice,
  reason: clearableText(500),
  referenceId: id,
  referenceType: clearableText(50),
  notes: clearableText(2_000),
};

/** Invalid values for the fields of warehouses, stock records and movements, see `invalid-fields.ts`. */
export const STOCK_BODIES: readonly BodyUnderTest[] = [
  {
    name: 'a warehouse',
    method: 'POST',
    path: '/warehouses/create',
    valid: { name: 'Main' },
    fields: { name: required(text(200)), addressId: id },
  },
  {
    name: 'a stock record',
    method: 'POST',
    path: '/inventory/create',
    valid: { productId: 1, warehouseId: 1 },
    fields: { productId: required(id), warehouseId: required(id), lowStockThreshold: threshold },
  },
  {
    name: 'a stock record that is changed',
    method: 'PUT',
    path: '/inventory/edit/999999',
    valid: {},
    fields: { lowStockThreshold: threshold },
  },
  {
    name: 'a movement',
    method: 'POST',
    path: '/inventory/movements/create',
    valid: { inventoryId: 1, movementType: 'ADD', quantity: 1 },
    fields: movement,
  },
  {
    name: 'a transfer',
    method: 'POST',
    path: '/inventory/movements/create',
    valid: { inventoryId: 1, movementType: 'TRANSFER', quantity: 1, targetWarehouseId: 1 },
    fields: { ...movement, targetWarehouseId: required(id) },
  },
];
