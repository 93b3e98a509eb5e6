import { decimal, toUnitScale } from '@counterfoil/kernel';

/** Quantities with up to 4 decimals. Always `0 <= reservedQuantity <= quantity` (contract §7.2). */
export interface StockLevel {
  readonly quantity: number;
  /** The part of the quantity that is reserved. */
  readonly reservedQuantity: number;
}

/** The key of a stock record: one record per product and warehouse. */
export interface StockPlace {
  readonly productId: number;
  readonly warehouseId: number;
}

/** The stock of a product in a warehouse. */
export interface StockRecord extends StockPlace, StockLevel {
  readonly id: number;
  /** `stock.low` is sent when the available quantity falls to it or below. Null: never. */
  readonly lowStockThreshold: number | null;
}

/** Returns the quantity that is not reserved (contract §7.2). */
export function calculateAvailable({ quantity, reservedQuantity }: StockLevel): number {
  return toUnitScale(decimal(quantity).minus(reservedQuantity));
}
