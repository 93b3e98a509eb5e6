import { queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { DescribedApi } from './described-api';
import { closeConnections } from './http-exchange';

export type Json = Record<string, unknown>;

export interface Stock {
  readonly inventoryId: number;
  readonly productId: number;
  readonly warehouseId: number;
}

export interface Row {
  readonly movement: Json & {
    readonly id: number;
    readonly inventoryId: number;
    readonly movementType: string;
    readonly quantity: number;
    readonly createdAt: string;
  };
  readonly inventory: Json;
  readonly user: Json;
}

export interface List<T> {
  readonly data: readonly T[];
  readonly pagination: Json;
}

/** The largest quantity. */
export const MOST = 9_999_999_999.9999;
export const TYPES = [
  ...['ADD', 'SUBTRACT', 'ADJUST', 'TRANSFER', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT'],
  'ADD_AND_RESERVE',
];
/** The values of the omitted optional fields of a movement. */
export const UNTOLD = { unitPrice: null, reason: null, referenceId: null, referenceType: null, notes: null };

export let service: TestService;
export let api: DescribedApi;
/** A key of a user with a known name. */
export let key: string;
/** The key of another company. */
export let stranger: string;

export async function newCompany(): Promise<string> {
  const created = await service.createCompany('Another company');
  return created.ownerKey;
}

export const makeProduct = async (by = key) => {
  const body = { name: 'Paper', sku: 'A4' };
  return (await api.ok<{ productId: number }>('POST /products/create', { body, key: by })).productId;
};
export const makeWarehouse = async (by = key) => {
  const body = { name: 'Main' };
  return (await api.ok<{ warehouseId: number }>('POST /warehouses/create', { body, key: by })).warehouseId;
};

interface Holding {
  readonly quantity?: number;
  readonly reserved?: number;
  readonly lowStockThreshold?: number | null;
  readonly productId?: number;
  readonly by?: string;
}

/** Creates a stock record in a new warehouse with this quantity. */
export async function given({ quantity = 0, reserved = 0, by = key, ...more }: Holding = {}): Promise<Stock> {
  const productId = more.productId ?? (await makeProduct(by));
  const warehouseId = await makeWarehouse(by);
  const { lowStockThreshold = null } = more;
  const body = { productId, warehouseId, lowStockThreshold };
  const { inventoryId } = await api.ok<{ inventoryId: number }>('POST /inventory/create', { body, key: by });
  if (quantity > 0) await move({ inventoryId, movementType: 'ADD', quantity }, by);
  if (reserved > 0) await move({ inventoryId, movementType: 'RESERVE', quantity: reserved }, by);
  return { inventoryId, productId, warehouseId };
}

export const CREATE = 'POST /inventory/movements/create';
export const move = (body: object, by = key) =>
  api.ok<Json & { movementId: number }>(CREATE, { body, key: by });
export const list = (query = '', by = key) =>
  api.ok<List<Row>>('GET /inventory/movements', { at: `/inventory/movements?${query}`, key: by });
export const records = (query = '', by = key) =>
  api.ok<List<Json>>('GET /inventory', { at: `/inventory?${query}`, key: by });

export async function recordOf({ productId, warehouseId }: Omit<Stock, 'inventoryId'>): Promise<Json> {
  const { data } = await records(`productId=${productId}&warehouseId=${warehouseId}`);
  expect(data).toHaveLength(1);
  return data[0]!;
}

export const newest = async ({ inventoryId }: Pick<Stock, 'inventoryId'>): Promise<Row> =>
  (await list(`inventoryId=${inventoryId}&limit=1`)).data[0]!;

/** Returns all stock data of a company for a product, which a refused movement must not change. */
export async function everythingOf(productId: number): Promise<unknown> {
  const { data: stock } = await records(`productId=${productId}`);
  const moved = await Promise.all(stock.map(({ id }) => list(`inventoryId=${String(id)}`)));
  return { stock, moved };
}

/** Returns a valid body, with a destination for a TRANSFER. */
export async function bodyOf({ inventoryId }: Stock, movementType: string, quantity: number): Promise<Json> {
  const target = movementType === 'TRANSFER' ? { targetWarehouseId: await makeWarehouse() } : {};
  return { inventoryId, movementType, quantity, ...target };
}

/** Starts the service before the tests of a file, and stops it after them. */
export function serveStock(): void {
  beforeAll(async () => {
    service = await startService(queueStores()[0]!);
    api = await DescribedApi.of(service);
    ({ key } = await api.ok<{ key: string }>('POST /api-keys', {
      body: { role: 'editor', userName: 'Noa' },
    }));
    stranger = await newCompany();
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });
}
