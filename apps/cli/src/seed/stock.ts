import type { CreateMovementBody } from '@counterfoil/sdk';
import type { PlannedProduct } from './catalog';
import { Random } from './random';

export interface PlannedMovement extends Omit<CreateMovementBody, 'inventoryId' | 'targetWarehouseId'> {
  /** Together they identify a movement of a stock record. */
  readonly referenceId: number;
  readonly referenceType: string;
  /** The name of the warehouse. */
  readonly target?: string;
}

/** A stock record with its movements in their order. */
export interface PlannedStock {
  readonly product: string;
  readonly warehouse: string;
  readonly lowStockThreshold: number;
  readonly movements: readonly PlannedMovement[];
}

export const MAIN_WAREHOUSE = 'מחסן ראשי';
export const SHOP = 'Shop';

const REASONS = {
  delivery: { he: 'אספקה מהספק', en: 'Delivery of the vendor' },
  sale: { he: 'מכירה', en: 'Sale' },
  reservation: { he: 'הזמנת לקוח', en: 'Order of a client' },
  count: { he: 'ספירת מלאי', en: 'Stocktaking' },
  transfer: { he: 'העברה לחנות', en: 'Transfer to the shop' },
} as const;

/** Each product lies in the main warehouse, and every second one in the shop as well. */
export function planStock(
  seed: number,
  products: readonly PlannedProduct[],
  movementsPerProduct: number,
): PlannedStock[] {
  const random = new Random(`${seed}/stock`);
  return products.flatMap((product, index) => {
    const isInShop = index % 2 === 0;
    const movements = movementsOf(random, product, { count: movementsPerProduct, isInShop });
    const main = {
      ...{ product: product.name, warehouse: MAIN_WAREHOUSE, lowStockThreshold: random.int(8, 20) },
      movements,
    };
    return isInShop
      ? [main, { product: product.name, warehouse: SHOP, lowStockThreshold: 2, movements: [] }]
      : [main];
  });
}

/**
 * Never takes more than there is: a delivery comes first, and the sales share a part of it. Products outside the shop
 * are nearly sold out, so that some are below their threshold.
 */
function movementsOf(
  random: Random,
  { language, body }: PlannedProduct,
  { count, isInShop }: { count: number; isInShop: boolean },
): PlannedMovement[] {
  const delivered = random.int(60, 240);
  const moves: Omit<PlannedMovement, 'referenceId'>[] = [
    {
      ...{ movementType: 'ADD', quantity: delivered, unitPrice: body.buyingPrice, referenceType: 'PURCHASE' },
      reason: REASONS.delivery[language],
    },
    ...sales(random, Math.floor(delivered * (isInShop ? 0.5 : 0.95)), count).flatMap((quantity) =>
      saleOf(random, quantity).map((move) => ({
        ...{ ...move, referenceType: 'SALE' },
        reason: REASONS[move.movementType === 'RESERVE' ? 'reservation' : 'sale'][language],
      })),
    ),
    { movementType: 'ADJUST', quantity: 1, referenceType: 'COUNT', reason: REASONS.count[language] },
  ];
  if (isInShop)
    moves.push({
      ...{ movementType: 'TRANSFER', quantity: Math.floor(delivered / 5), referenceType: 'TRANSFER' },
      ...{ target: SHOP, reason: REASONS.transfer[language] },
    });
  return moves.map((move, index) => ({ ...move, referenceId: index + 1 }));
}

/** Quantities that are together at most `total`. */
function sales(random: Random, total: number, count: number): number[] {
  const most = Math.floor(total / count);
  return Array.from({ length: count }, () => random.int(Math.ceil(most * 0.7), most));
}

/** Goods go out at once, or are reserved before. */
const saleOf = (random: Random, quantity: number): Pick<PlannedMovement, 'movementType' | 'quantity'>[] =>
  random.chance(60)
    ? [{ movementType: 'SUBTRACT', quantity }]
    : [
        { movementType: 'RESERVE', quantity },
        { movementType: 'RELEASE_AND_SUBTRACT', quantity },
      ];
