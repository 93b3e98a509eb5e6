import type { TestService } from '@counterfoil/test-harness';
import { stockProblems } from './stock-problems';
import { EventSubscriptions, type Subscription, type WrittenEvent } from './event-subscriptions';

type Json = Record<string, unknown>;

interface StockEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly movement?: Json; readonly inventory?: Json; readonly movementId?: number };
}

interface Stock {
  readonly inventoryId: number;
  readonly productId: number;
  readonly warehouseId: number;
}

const MARK = 'MARKED';
const UNIT_PRICE = 6173.4711;
/** Values of each movement that receivers must not get. */
const PRIVATE = { unitPrice: UNIT_PRICE, reason: `${MARK} reason`, notes: `${MARK} notes` };
const SUBSCRIPTIONS: readonly Subscription[] = [
  ['/all', ['*'], /./],
  ['/low', ['stock.low'], /^stock\.low$/],
  ['/movements', ['stock.movement.recorded'], /^stock\.movement\.recorded$/],
  ['/both', ['stock.low', 'stock.movement.recorded', 'document.created'], /^(stock\.|document\.created$)/],
  ['/documents', ['document.created', 'charge.failed'], /^document\.created$/],
];

let service: TestService;
let subscribed: EventSubscriptions;

beforeAll(async () => {
  subscribed = await EventSubscriptions.start(SUBSCRIPTIONS);
  service = subscribed.service;
});

afterAll(async () => {
  await subscribed.stop();
});

async function ok<T = Json>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await service.request<T>(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const makeWarehouse = async () =>
  (await ok<{ warehouseId: number }>('POST', '/warehouses/create', { name: `${MARK} warehouse` }))
    .warehouseId;

interface Holding {
  readonly quantity: number;
  readonly reserved?: number;
  readonly lowStockThreshold?: number | null;
  readonly productId?: number;
}

async function given({ quantity, reserved = 0, lowStockThreshold = null, ...more }: Holding): Promise<Stock> {
  const product = { name: `${MARK} product`, sku: MARK };
  const made = async () => (await ok<{ productId: number }>('POST', '/products/create', product)).productId;
  const productId = more.productId ?? (await made());
  const warehouseId = await makeWarehouse();
  const record = { productId, warehouseId, lowStockThreshold };
  const { inventoryId } = await ok<{ inventoryId: number }>('POST', '/inventory/create', record);
  const stock = { inventoryId, productId, warehouseId };
  if (quantity > 0) await move(stock, 'ADD', quantity);
  if (reserved > 0) await move(stock, 'RESERVE', reserved);
  return stock;
}

const ask = ({ inventoryId }: Stock, movementType: string, quantity: number, more: Json = {}) =>
  service.request<{ movementId: number; targetInventoryId: number }>('POST', '/inventory/movements/create', {
    ...{ inventoryId, movementType, quantity, ...PRIVATE },
    ...more,
  });

async function move(stock: Stock, type: string, quantity: number, more: Json = {}) {
  const { status, body } = await ask(stock, type, quantity, more);
  expect({ type, quantity, status, body }).toMatchObject({ status: 201 });
  return body;
}

/** Returns the events that `work` caused, in the order in which they were written. */
const toldOf = (work: () => Promise<unknown>) => subscribed.toldOf<StockEvent>(work);

const typesOf = (events: readonly StockEvent[]) => events.map(({ type }) => type);
/** Returns the available quantities in the `stock.low` events. */
const lows = async (work: () => Promise<unknown>) =>
  (await toldOf(work))
    .filter(({ type }) => type === 'stock.low')
    .map(({ data }) => [data.inventory!['id'], data.inventory!['availableQuantity']]);

describe('stock.movement.recorded', () => {
  it('has the data of the response and the list, except texts about the movement', async () => {
    const stock = await given({ quantity: 10, reserved: 4 });
    const { inventoryId, productId, warehouseId } = stock;
    const reference = { referenceId: 7_731, referenceType: 'SALE' };
    const told = await toldOf(() => move(stock, 'RELEASE_AND_SUBTRACT', 1.5, reference));
    const list = `/inventory/movements?inventoryId=${inventoryId}&limit=1`;
    const { data } = await ok<{ data: { movement: Json }[] }>('GET', list);
    const { movement } = data[0]!;
    expect(told).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'stock.movement.recorded',
        created: Math.floor(Date.parse(String(movement['createdAt'])) / 1_000),
        data: {
          movement: {
            ...{ id: movement['id'], inventoryId, productId, warehouseId, userId: movement['userId'] },
            ...{ movementType: 'RELEASE_AND_SUBTRACT', quantity: 1.5, ...reference },
            ...{ previousQuantity: 10, newQuantity: 8.5 },
            ...{ previousReservedQuantity: 4, newReservedQuantity: 2.5, counterpartInventoryId: null },
            createdAt: movement['createdAt'],
          },
        },
      },
    ]);
  });

  it.each(['ADD', 'SUBTRACT', 'ADJUST', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT', 'ADD_AND_RESERVE'])(
    'is sent once for %s',
    async (type) => {
      const stock = await given({ quantity: 10, reserved: 4 });
      const told = await toldOf(() => move(stock, type, 0.1));
      expect(typesOf(told)).toEqual(['stock.movement.recorded']);
      const movement = { movementType: type, quantity: 0.1, referenceId: null, referenceType: null };
      expect(told[0]!.data.movement).toMatchObject(movement);
    },
  );

  it('is sent twice for a TRANSFER: the source, then the target', async () => {
    const stock = await given({ quantity: 10 });
    const targetWarehouseId = await makeWarehouse();
    let answer = { movementId: 0, targetInventoryId: 0 };
    const reference = { referenceId: 12, referenceType: 'ORDER' };
    const told = await toldOf(async () => {
      answer = await move(stock, 'TRANSFER', 2.5, { targetWarehouseId, ...reference });
    });
    const both = { movementType: 'TRANSFER', quantity: 2.5, productId: stock.productId, ...reference };
    const { inventoryId, warehouseId } = stock;
    expect(told.map(({ data }) => data.movement)).toMatchObject([
      {
        ...{ ...both, id: answer.movementId, inventoryId, warehouseId },
        ...{ previousQuantity: 10, newQuantity: 7.5, counterpartInventoryId: answer.targetInventoryId },
      },
      {
        ...{ ...both, inventoryId: answer.targetInventoryId, warehouseId: targetWarehouseId },
        ...{ previousQuantity: 0, newQuantity: 2.5, counterpartInventoryId: inventoryId },
      },
    ]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(2);
  });
});

describe('a call that changes no stock', () => {
  it.each([
    ['SUBTRACT', 100, 409],
    ['RESERVE', 100, 409],
    ['RELEASE', 100, 409],
    ['TRANSFER', 100, 409],
    ['ADD', 0, 400],
    ['ADD', 9_999_999_999, 409],
    ['NOPE', 1, 400],
  ])('sends no event: %s of %d, which is refused', async (type, quantity, status) => {
    const stock = await given({ quantity: 10, lowStockThreshold: 9 });
    await move(stock, 'ADD', 1);
    const targetWarehouseId = await makeWarehouse();
    const told = await toldOf(async () => {
      expect(await ask(stock, type, quantity, { targetWarehouseId })).toMatchObject({ status });
    });
    expect(told).toEqual([]);
  });

  it('sends no event: warehouses, records and thresholds', async () => {
    const told = await toldOf(async () => {
      const stock = await given({ quantity: 0, lowStockThreshold: 5 });
      await ok('PUT', `/inventory/edit/${stock.inventoryId}`, { lowStockThreshold: 77 });
    });
    expect(told).toEqual([]);
  });
});

describe('stock.low', () => {
  it('has the state of the record after the movement', async () => {
    const stock = await given({ quantity: 10, reserved: 3, lowStockThreshold: 5.5 });
    const { inventoryId: id, productId, warehouseId } = stock;
    let movementId = 0;
    const told = await toldOf(async () => ({ movementId } = await move(stock, 'SUBTRACT', 2.25)));
    expect(typesOf(told)).toEqual(['stock.movement.recorded', 'stock.low']);
    expect(told[1]!.data).toEqual({
      inventory: {
        ...{ id, productId, warehouseId, quantity: 7.75, reservedQuantity: 3 },
        ...{ availableQuantity: 4.75, lowStockThreshold: 5.5 },
      },
      movementId,
    });
  });

  it('is sent once on the way down, and again only after the stock was above the threshold', async () => {
    const stock = await given({ quantity: 10, lowStockThreshold: 5 });
    const id = stock.inventoryId;
    const steps: [type: string, quantity: number, low: number | null][] = [
      ['SUBTRACT', 4, null],
      ['SUBTRACT', 1, 5],
      ['SUBTRACT', 1, null],
      ['ADD', 1, null],
      ['SUBTRACT', 0.0001, null],
      ['ADD', 0.0001, null],
      ['ADD', 0.0001, null],
      ['SUBTRACT', 0.0001, 5],
      ['SUBTRACT', 5, null],
      ['ADD', 10, null],
      ['SUBTRACT', 10, 0],
    ];
    for (const [type, quantity, low] of steps) {
      const expected = low === null ? [] : [[id, low]];
      expect({ type, quantity, low: await lows(() => move(stock, type, quantity)) }).toEqual({
        ...{ type, quantity, low: expected },
      });
    }
  });

  it('is sent exactly at the threshold, without rounding', async () => {
    const stock = await given({ quantity: 0.3, lowStockThreshold: 0.2 });
    expect(await lows(() => move(stock, 'SUBTRACT', 0.1))).toEqual([[stock.inventoryId, 0.2]]);
    const above = await given({ quantity: 0.3, lowStockThreshold: 0.1999 });
    expect(await lows(() => move(above, 'SUBTRACT', 0.1))).toEqual([]);
  });

  it('is sent when nothing is left with the threshold 0', async () => {
    const stock = await given({ quantity: 1, lowStockThreshold: 0 });
    expect(await lows(() => move(stock, 'SUBTRACT', 0.9999))).toEqual([]);
    expect(await lows(() => move(stock, 'RESERVE', 0.0001))).toEqual([[stock.inventoryId, 0]]);
    expect(await lows(() => move(stock, 'RELEASE_AND_SUBTRACT', 0.0001))).toEqual([]);
  });

  it('depends on the available quantity: reserving can cause it, and shipping reserved stock cannot', async () => {
    const stock = await given({ quantity: 10, lowStockThreshold: 5 });
    const id = stock.inventoryId;
    expect(await lows(() => move(stock, 'ADD_AND_RESERVE', 20))).toEqual([]);
    expect(await lows(() => move(stock, 'RELEASE_AND_SUBTRACT', 20))).toEqual([]);
    expect(await lows(() => move(stock, 'RESERVE', 6))).toEqual([[id, 4]]);
    expect(await lows(() => move(stock, 'RELEASE_AND_SUBTRACT', 3))).toEqual([]);
    expect(await lows(() => move(stock, 'RELEASE', 3))).toEqual([]);
    expect(await lows(() => move(stock, 'RESERVE', 2))).toEqual([[id, 5]]);
  });

  it('is sent for the source of a TRANSFER, after both movements', async () => {
    const stock = await given({ quantity: 10, lowStockThreshold: 5 });
    const { productId, inventoryId } = stock;
    const target = await given({ quantity: 0, lowStockThreshold: 5, productId });
    const to = { targetWarehouseId: target.warehouseId };
    const told = await toldOf(() => move(stock, 'TRANSFER', 6, to));
    const twice = ['stock.movement.recorded', 'stock.movement.recorded'];
    expect(typesOf(told)).toEqual([...twice, 'stock.low']);
    expect(told[2]!.data).toMatchObject({
      inventory: { id: inventoryId, availableQuantity: 4 },
      movementId: told[0]!.data.movement!['id'],
    });
    const back = { targetWarehouseId: stock.warehouseId };
    expect(await lows(() => move(target, 'TRANSFER', 1, back))).toEqual([[target.inventoryId, 5]]);
    const elsewhere = { targetWarehouseId: await makeWarehouse() };
    expect(typesOf(await toldOf(() => move(stock, 'TRANSFER', 1, elsewhere)))).toEqual(twice);
  });

  it('is never sent without a threshold', async () => {
    const stock = await given({ quantity: 10 });
    expect(await lows(() => move(stock, 'SUBTRACT', 10))).toEqual([]);
    await move(stock, 'ADD', 10);
    const edit = (lowStockThreshold: number | null) =>
      ok('PUT', `/inventory/edit/${stock.inventoryId}`, { lowStockThreshold });
    await edit(5);
    expect(await lows(() => move(stock, 'SUBTRACT', 5))).toEqual([[stock.inventoryId, 5]]);
    await move(stock, 'ADD', 5);
    await edit(null);
    expect(await lows(() => move(stock, 'SUBTRACT', 10))).toEqual([]);
  });

  it('is not sent if the stock was low before the threshold was set', async () => {
    const stock = await given({ quantity: 3 });
    const told = await lows(async () => {
      await ok('PUT', `/inventory/edit/${stock.inventoryId}`, { lowStockThreshold: 5 });
      await move(stock, 'SUBTRACT', 1);
    });
    expect(told).toEqual([]);
    await move(stock, 'ADD', 4);
    expect(await lows(() => move(stock, 'SUBTRACT', 1))).toEqual([[stock.inventoryId, 5]]);
  });

  it('is sent once if concurrent movements reach it', async () => {
    const stock = await given({ quantity: 30, lowStockThreshold: 15 });
    const told = await lows(() => Promise.all(Array.from({ length: 30 }, () => move(stock, 'SUBTRACT', 1))));
    expect(told).toEqual([[stock.inventoryId, 15]]);
  });
});

describe('the received events', () => {
  let written: readonly WrittenEvent[];

  beforeAll(async () => {
    const client = { name: 'Acme', taxId: '511111118', type: 'COMPANY' };
    const { clientId } = await ok<{ clientId: number }>('POST', '/clients/create', client);
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    await ok('POST', '/documents/create/quote', { entityId: clientId, items });
    written = await subscribed.written();
  });

  it.each(SUBSCRIPTIONS)(
    'at %s, which subscribes to %j, are exactly the matching ones, signed',
    (...subscription) => subscribed.expectArrived(subscription, written),
  );

  it('match their schema without additional fields', () =>
    subscribed.expectToFit(written, ['stock.movement.recorded', 'stock.low']));

  it('contain neither reason nor price, nor the names of product and warehouse', async () => {
    const [kept] = await service.database.query<{ text: string }>(
      `select string_agg(m::text, '') as text from stock_movements m`,
    );
    for (const text of [PRIVATE.reason, PRIVATE.notes, String(UNIT_PRICE)])
      expect(kept!.text).toContain(text);
    for (const { body } of written) {
      for (const text of [MARK, String(UNIT_PRICE), 'reason', 'notes', 'unitPrice']) {
        expect({ body, has: body.includes(text) }).toEqual({ body, has: false });
      }
    }
  });

  it('are one for each movement', async () => {
    expect(await stockProblems(service.database)).toEqual([]);
  });
});
