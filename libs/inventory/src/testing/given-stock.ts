import { CreateProduct } from '@counterfoil/catalog';
import type { Caller } from '@counterfoil/kernel';
import type { OpenContext } from '@counterfoil/test-harness';
import { CreateStockRecord } from '../application/create-stock-record';
import { CreateWarehouse } from '../application/create-warehouse';
import { RecordMovement } from '../application/record-movement';
import { aMovement } from './a-movement';

export async function givenProduct(context: OpenContext, caller: Caller): Promise<number> {
  const product = { name: 'Paper', sku: 'A4', manufacturerSku: null, unit: null };
  const prices = { buyingPrice: null, sellingPrice: null };
  const created = await context
    .get(CreateProduct)
    .execute(caller, { ...product, ...prices, isActive: true, serials: [] });
  return created.id;
}

export function givenWarehouse(context: OpenContext, caller: Caller, name = 'Main'): Promise<number> {
  return context.get(CreateWarehouse).execute(caller, { name, addressId: null });
}

export interface GivenStock {
  readonly inventoryId: number;
  readonly productId: number;
  readonly warehouseId: number;
}

/** Creates a stock record with some stock, of a new product in a new warehouse unless they are given. */
export async function givenStock(
  context: OpenContext,
  caller: Caller,
  given: Partial<Omit<GivenStock, 'inventoryId'>> & {
    readonly quantity?: number;
    readonly reserved?: number;
    readonly lowStockThreshold?: number;
  } = {},
): Promise<GivenStock> {
  const { quantity = 0, reserved = 0, lowStockThreshold = null } = given;
  const productId = given.productId ?? (await givenProduct(context, caller));
  const warehouseId = given.warehouseId ?? (await givenWarehouse(context, caller));
  const { id: inventoryId } = await context
    .get(CreateStockRecord)
    .execute(caller, { productId, warehouseId, lowStockThreshold });
  const record = context.get(RecordMovement);
  const free = quantity - reserved;
  if (free > 0) await record.execute(caller, aMovement({ inventoryId, quantity: free }));
  if (reserved > 0) {
    await record.execute(
      caller,
      aMovement({ inventoryId, movementType: 'ADD_AND_RESERVE', quantity: reserved }),
    );
  }
  return { inventoryId, productId, warehouseId };
}
