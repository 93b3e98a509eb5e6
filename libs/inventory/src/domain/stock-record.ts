import { decimal, toFine } from '@counterfoil/kernel';

/** How much there is, to 4 decimals: `0 <= reservedQuantity <= quantity`, always (decisions §8). */
export interface StockLevel {
  readonly quantity: number;
  /** What of the quantity is promised. */
  readonly reservedQuantity: number;
}

/** Of which product in which warehouse. There is one record of both. */
export interface StockPlace {
  readonly productId: number;
  readonly warehouseId: number;
}

/** The stock of a product in a warehouse. */
export interface StockRecord extends StockPlace, StockLevel {
  readonly id: number;
  /** `stock.low` is sent when what is available comes down to it; null: never. */
  readonly lowStockThreshold: number | null;
}

/** What of the stock is not promised (decisions §8). */
export function availableOf({ quantity, reservedQuantity }: StockLevel): number {
  return toFine(decimal(quantity).minus(reservedQuantity));
}
