import { queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { type Asked, DescribedApi } from './described-api';
import { type ExpectedError, expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { WINDOWS } from './windows';

type Json = Record<string, unknown>;

interface Stock {
  readonly inventoryId: number;
  readonly productId: number;
  readonly warehouseId: number;
}

interface Row {
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

interface List<T> {
  readonly data: readonly T[];
  readonly pagination: Json;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = 999_999_999;
/** The most that a quantity can be. */
const MOST = 9_999_999_999.9999;
const TYPES = [
  ...['ADD', 'SUBTRACT', 'ADJUST', 'TRANSFER', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT'],
  'ADD_AND_RESERVE',
];
const OTHER_TYPES = TYPES.filter((type) => type !== 'TRANSFER');
const PAGE = { limit: 50, offset: 0, hasMore: false, page: 1, pageSize: 50, totalPages: 1 };
/** What a movement that tells nothing more reads back as. */
const UNTOLD = { unitPrice: null, reason: null, referenceId: null, referenceType: null, notes: null };

let service: TestService;
let api: DescribedApi;
/** A key of a user whose name is known. */
let key: string;
/** The key of another company. */
let stranger: string;

beforeAll(async () => {
  service = await startService(queueStores()[0]!);
  api = await DescribedApi.of(service);
  ({ key } = await api.ok<{ key: string }>('POST /api-keys', { body: { role: 'editor', userName: 'Noa' } }));
  stranger = await newCompany();
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function newCompany(): Promise<string> {
  const created = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Another company');
  return created.ownerKey;
}

const makeProduct = async (by = key) => {
  const body = { name: 'Paper', sku: 'A4' };
  return (await api.ok<{ productId: number }>('POST /products/create', { body, key: by })).productId;
};
const makeWarehouse = async (by = key) => {
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

/** A stock record in a warehouse of its own that holds so much. */
async function given({ quantity = 0, reserved = 0, by = key, ...more }: Holding = {}): Promise<Stock> {
  const productId = more.productId ?? (await makeProduct(by));
  const warehouseId = await makeWarehouse(by);
  const { lowStockThreshold = null } = more;
  const body = { productId, warehouseId, lowStockThreshold };
  const { inventoryId } = await api.ok<{ inventoryId: number }>('POST /inventory/create', { body, key: by });
  if (quantity > 0) await move({ inventoryId, movementType: 'ADD', quantity }, by);
  if (reserved > 0) await move({ inventoryId, movementType: 'RESERVE', quantity: reserved }, by);
  return { inventoryId, productId, warehouseId };
}

const CREATE = 'POST /inventory/movements/create';
const send = (body: object, asked: Asked = {}): Promise<Answer> => api.send(CREATE, { body, key, ...asked });
const move = (body: object, by = key) => api.ok<Json & { movementId: number }>(CREATE, { body, key: by });
const list = (query = '', by = key) =>
  api.ok<List<Row>>('GET /inventory/movements', { at: `/inventory/movements?${query}`, key: by });
const records = (query = '', by = key) =>
  api.ok<List<Json>>('GET /inventory', { at: `/inventory?${query}`, key: by });

async function recordOf({ productId, warehouseId }: Omit<Stock, 'inventoryId'>): Promise<Json> {
  const { data } = await records(`productId=${productId}&warehouseId=${warehouseId}`);
  expect(data).toHaveLength(1);
  return data[0]!;
}

const newest = async ({ inventoryId }: Pick<Stock, 'inventoryId'>): Promise<Row> =>
  (await list(`inventoryId=${inventoryId}&limit=1`)).data[0]!;

const invalid = (field: string): ExpectedError => ({ status: 400, code: 'VALIDATION_FAILED', field });
const unknown = (field: string): ExpectedError => ({ status: 400, code: 'UNKNOWN_REFERENCE', field });
const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
const insufficient: ExpectedError = { status: 409, code: 'INSUFFICIENT_STOCK', field: 'quantity' };
const tooMuch: ExpectedError = { status: 409, code: 'LIMIT_REACHED', field: 'quantity' };

/** Everything that a company has of a product, which a refused movement leaves as it is. */
async function everythingOf(productId: number): Promise<unknown> {
  const { data: stock } = await records(`productId=${productId}`);
  const moved = await Promise.all(stock.map(({ id }) => list(`inventoryId=${String(id)}`)));
  return { stock, moved };
}

async function expectRefused(
  { productId }: Stock,
  body: object,
  expected: ExpectedError,
  asked: Asked = {},
): Promise<Answer> {
  const before = await everythingOf(productId);
  const answer = await send(body, asked);
  expectError(answer, expected);
  expect(await everythingOf(productId)).toEqual(before);
  return answer;
}

/** What each type does to a record of 10, of which 4 are reserved, by a quantity of 2.5. */
const EFFECTS: readonly [type: string, quantity: number, reserved: number, available: number][] = [
  ['ADD', 12.5, 4, 8.5],
  ['SUBTRACT', 7.5, 4, 3.5],
  ['ADJUST', 12.5, 4, 8.5],
  ['TRANSFER', 7.5, 4, 3.5],
  ['RESERVE', 10, 6.5, 3.5],
  ['RELEASE', 10, 1.5, 8.5],
  ['RELEASE_AND_SUBTRACT', 7.5, 1.5, 6],
  ['ADD_AND_RESERVE', 12.5, 6.5, 6],
];

/** A body that is taken, with somewhere to go where it is a TRANSFER. */
async function bodyOf({ inventoryId }: Stock, movementType: string, quantity: number): Promise<Json> {
  const target = movementType === 'TRANSFER' ? { targetWarehouseId: await makeWarehouse() } : {};
  return { inventoryId, movementType, quantity, ...target };
}

describe('POST /inventory/movements/create · movementType', () => {
  it.each(EFFECTS)('%s · answers what was and what is, exactly', async (type, quantity, reserved, free) => {
    const stock = await given({ quantity: 10, reserved: 4 });
    const answer = await send(await bodyOf(stock, type, 2.5));
    expect(answer.status).toBe(201);
    const { movementId, targetInventoryId, ...numbers } = JSON.parse(answer.text) as Json;
    expect(numbers).toEqual({
      success: true,
      previousQuantity: 10,
      newQuantity: quantity,
      previousReservedQuantity: 4,
      newReservedQuantity: reserved,
      ...(type === 'TRANSFER' ? { targetPreviousQuantity: 0, targetNewQuantity: 2.5 } : {}),
    });
    expect(Number.isSafeInteger(movementId)).toBe(true);
    expect(targetInventoryId === undefined).toBe(type !== 'TRANSFER');
    expect(await recordOf(stock)).toMatchObject({
      ...{ quantity, reservedQuantity: reserved, availableQuantity: free },
    });
    expect((await newest(stock)).movement).toMatchObject({
      id: movementId,
      movementType: type,
      quantity: 2.5,
      previousQuantity: 10,
      newQuantity: quantity,
      previousReservedQuantity: 4,
      newReservedQuantity: reserved,
    });
  });

  it.each([
    ['SUBTRACT', 6, 4, 4],
    ['TRANSFER', 6, 4, 4],
    ['RESERVE', 6, 10, 10],
    ['RELEASE', 4, 10, 0],
    ['RELEASE_AND_SUBTRACT', 4, 6, 0],
  ])('%s · takes all %d that there are', async (type, all, quantity, reserved) => {
    const stock = await given({ quantity: 10, reserved: 4 });
    const body = await bodyOf(stock, type, all);
    expect(await move(body)).toMatchObject({ newQuantity: quantity, newReservedQuantity: reserved });
  });

  it.each([...OTHER_TYPES.map((type) => type.toLowerCase()), 'MOVE', 'ADJUST ', 'RELEASE-AND-SUBTRACT', ''])(
    '%j · is no type',
    async (movementType) => {
      const stock = await given({ quantity: 1 });
      const { inventoryId } = stock;
      await expectRefused(stock, { inventoryId, movementType, quantity: 1 }, invalid('movementType'));
    },
  );
});

describe('POST /inventory/movements/create · what there is not (B11)', () => {
  it.each([
    ['SUBTRACT', 6.0001, 6, 'available'],
    ['SUBTRACT', 10, 6, 'available'],
    ['SUBTRACT', MOST, 6, 'available'],
    ['TRANSFER', 6.0001, 6, 'available'],
    ['RESERVE', 6.0001, 6, 'available'],
    ['RELEASE', 4.0001, 4, 'reserved'],
    ['RELEASE', 10, 4, 'reserved'],
    ['RELEASE_AND_SUBTRACT', 4.0001, 4, 'reserved'],
    ['RELEASE_AND_SUBTRACT', 6, 4, 'reserved'],
  ])('%s of %d is INSUFFICIENT_STOCK, and names the %d that are %s', async (type, quantity, there, pool) => {
    const stock = await given({ quantity: 10, reserved: 4 });
    const answer = await expectRefused(stock, await bodyOf(stock, type, quantity), insufficient);
    const { error, details } = JSON.parse(answer.text) as { error: string; details: { problem: string }[] };
    for (const text of [error, details[0]!.problem]) {
      expect(text).toMatch(new RegExp(`(^|[^\\d.])${there}([^\\d.]|\\.?$)`));
      expect(text).toContain(pool);
    }
  });

  it('is told to the last decimal', async () => {
    const stock = await given({ quantity: 0.3, reserved: 0.1 });
    const { inventoryId } = stock;
    const body = { inventoryId, movementType: 'SUBTRACT', quantity: 0.2001 };
    expect((await expectRefused(stock, body, insufficient)).text).toMatch(/[^\d.]0\.2[^\d]/);
  });

  it.each(['SUBTRACT', 'TRANSFER', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT'])(
    '%s of an empty record is INSUFFICIENT_STOCK',
    async (type) => {
      const stock = await given();
      const answer = await expectRefused(stock, await bodyOf(stock, type, 0.0001), insufficient);
      expect(JSON.parse(answer.text).error).toMatch(/\b0\b/);
    },
  );

  it('SUBTRACT, TRANSFER and RESERVE take nothing of what is reserved', async () => {
    const stock = await given({ quantity: 5, reserved: 5 });
    for (const type of ['SUBTRACT', 'TRANSFER', 'RESERVE']) {
      await expectRefused(stock, await bodyOf(stock, type, 1), insufficient);
    }
    expect(await move(await bodyOf(stock, 'RELEASE_AND_SUBTRACT', 5))).toMatchObject({
      newQuantity: 0,
      newReservedQuantity: 0,
    });
  });

  it('RELEASE and RELEASE_AND_SUBTRACT take nothing of what is not reserved', async () => {
    const stock = await given({ quantity: 5 });
    for (const type of ['RELEASE', 'RELEASE_AND_SUBTRACT']) {
      await expectRefused(stock, await bodyOf(stock, type, 1), insufficient);
    }
  });
});

describe('POST /inventory/movements/create · quantity', () => {
  const WRONG = [
    0,
    -0,
    -1,
    -0.5,
    -MOST,
    0.00001,
    1.00001,
    1e-7,
    0.30000000000000004,
    MOST + 0.001,
    1e10,
    1e21,
  ];

  it.each([...WRONG, '1', '', null, true, [1], {}])('%j · is refused by every type', async (quantity) => {
    const stock = await given({ quantity: 10, reserved: 5 });
    for (const type of TYPES) {
      await expectRefused(stock, { ...(await bodyOf(stock, type, 1)), quantity }, invalid('quantity'));
    }
  });

  it.each([0.0001, 0.1, 2.5, 3, 1234.5678, MOST])(
    '%d · is taken, and reads back the same',
    async (quantity) => {
      const stock = await given();
      expect(await move(await bodyOf(stock, 'ADD', quantity))).toMatchObject({ newQuantity: quantity });
      expect(await recordOf(stock)).toMatchObject({ quantity, availableQuantity: quantity });
      expect((await newest(stock)).movement.quantity).toBe(quantity);
    },
  );

  it('0.1 and 0.2 are 0.3, and ten times 0.1 is 1', async () => {
    const stock = await given();
    const step = async (type: string, quantity: number) =>
      (await send(await bodyOf(stock, type, quantity))).text;
    await step('ADD', 0.1);
    expect(await step('ADD', 0.2)).toContain('"newQuantity":0.3,');
    expect(await step('SUBTRACT', 0.1)).toContain('"newQuantity":0.2,');
    await step('RESERVE', 0.1);
    expect(await recordOf(stock)).toMatchObject({ availableQuantity: 0.1 });
    for (let count = 0; count < 8; count++) await step('ADD', 0.1);
    expect(await recordOf(stock)).toMatchObject({ quantity: 1, availableQuantity: 0.9 });
  });

  it('is exact where numbers are large', async () => {
    const stock = await given({ quantity: MOST });
    const body = await bodyOf(stock, 'SUBTRACT', 0.0001);
    expect((await send(body)).text).toContain('"newQuantity":9999999999.9998,');
    expect((await send(await bodyOf(stock, 'RESERVE', 0.0001))).status).toBe(201);
    expect(await recordOf(stock)).toMatchObject({ availableQuantity: 9_999_999_999.9997 });
  });

  it.each(['ADD', 'ADJUST', 'ADD_AND_RESERVE'])(
    '%s of more than a record can hold is LIMIT_REACHED',
    async (type) => {
      const stock = await given({ quantity: MOST });
      await expectRefused(stock, await bodyOf(stock, type, 0.0001), tooMuch);
    },
  );

  it('and so is a TRANSFER of more than its target can hold', async () => {
    const full = await given({ quantity: MOST });
    const stock = await given({ productId: full.productId, quantity: 1 });
    const body = { ...(await bodyOf(stock, 'ADD', 1)), movementType: 'TRANSFER' };
    await expectRefused(stock, { ...body, targetWarehouseId: full.warehouseId }, tooMuch);
  });
});

describe('POST /inventory/movements/create · TRANSFER', () => {
  const ofTarget = (stock: Stock, more: object = {}) => ({
    inventoryId: stock.inventoryId,
    movementType: 'TRANSFER',
    quantity: 2.5,
    ...more,
  });

  it('targetWarehouseId · its stock record is made if there is none', async () => {
    const stock = await given({ quantity: 10, reserved: 4, lowStockThreshold: 1 });
    const { productId } = stock;
    const targetWarehouseId = await makeWarehouse();
    const moved = await move(ofTarget(stock, { targetWarehouseId }));
    const target = await recordOf({ productId, warehouseId: targetWarehouseId });
    expect(moved).toEqual({
      success: true,
      movementId: expect.any(Number),
      previousQuantity: 10,
      newQuantity: 7.5,
      previousReservedQuantity: 4,
      newReservedQuantity: 4,
      targetInventoryId: target['id'],
      targetPreviousQuantity: 0,
      targetNewQuantity: 2.5,
    });
    expect(target).toEqual({
      ...{ id: expect.any(Number), productId, warehouseId: targetWarehouseId },
      ...{ quantity: 2.5, reservedQuantity: 0, availableQuantity: 2.5, lowStockThreshold: null },
    });
    const again = await move(ofTarget(stock, { targetWarehouseId }));
    const ids = { targetInventoryId: target['id'] };
    expect(again).toMatchObject({ ...ids, targetPreviousQuantity: 2.5, targetNewQuantity: 5 });
    expect((await records(`productId=${productId}`)).data).toHaveLength(2);
  });

  it('goes into a record that is there already, and leaves the rest of it', async () => {
    const stock = await given({ quantity: 10 });
    const { productId } = stock;
    const target = await given({ productId, quantity: 7, reserved: 6, lowStockThreshold: 3 });
    expect(await move(ofTarget(stock, { targetWarehouseId: target.warehouseId }))).toMatchObject({
      targetInventoryId: target.inventoryId,
      targetPreviousQuantity: 7,
      targetNewQuantity: 9.5,
    });
    const level = { quantity: 9.5, reservedQuantity: 6, availableQuantity: 3.5, lowStockThreshold: 3 };
    expect(await recordOf(target)).toMatchObject(level);
  });

  it('writes two movements, of one type, quantity, moment and reference, the first out of the source', async () => {
    const stock = await given({ quantity: 10, reserved: 1 });
    const targetWarehouseId = await makeWarehouse();
    const told = {
      ...{ unitPrice: 1.25, reason: 'rebalanced', notes: 'by truck' },
      ...{ referenceId: 77, referenceType: 'ORDER' },
    };
    const moved = await move(ofTarget(stock, { targetWarehouseId, ...told }));
    const inventoryId = moved['targetInventoryId'] as number;
    const [out, into] = [await newest(stock), await newest({ inventoryId })];
    const both = { movementType: 'TRANSFER', quantity: 2.5, isVirtual: false, documentId: null, ...told };
    const { createdAt } = out.movement;
    const { productId, warehouseId } = stock;
    expect(out).toMatchObject({
      movement: {
        ...{ ...both, id: moved.movementId, inventoryId: stock.inventoryId, warehouseId },
        ...{ previousQuantity: 10, newQuantity: 7.5 },
        ...{ previousReservedQuantity: 1, newReservedQuantity: 1, counterpartInventoryId: inventoryId },
      },
      inventory: { id: stock.inventoryId, productId, warehouseId },
    });
    expect(into).toMatchObject({
      movement: {
        ...{ ...both, createdAt, inventoryId, warehouseId: targetWarehouseId },
        ...{ previousQuantity: 0, newQuantity: 2.5 },
        ...{ previousReservedQuantity: 0, newReservedQuantity: 0 },
        counterpartInventoryId: stock.inventoryId,
      },
      inventory: { id: inventoryId, productId, warehouseId: targetWarehouseId },
    });
    expect(into.movement.id).not.toBe(out.movement.id);
    expect((await list(`inventoryId=${inventoryId}`)).pagination).toMatchObject({ total: 1 });
    expect((await list('reason=rebalanced')).pagination).toMatchObject({ total: 2 });
  });

  it('goes there and back', async () => {
    const stock = await given({ quantity: 2.5 });
    const targetWarehouseId = await makeWarehouse();
    const moved = await move(ofTarget(stock, { targetWarehouseId }));
    expect(moved).toMatchObject({ newQuantity: 0, targetNewQuantity: 2.5 });
    const inventoryId = moved['targetInventoryId'];
    const back = { ...ofTarget(stock), inventoryId, targetWarehouseId: stock.warehouseId };
    expect(await move(back)).toMatchObject({
      ...{ previousQuantity: 2.5, newQuantity: 0, targetInventoryId: stock.inventoryId },
      ...{ targetPreviousQuantity: 0, targetNewQuantity: 2.5 },
    });
  });

  it('to its own warehouse is VALIDATION_FAILED, whatever it holds', async () => {
    for (const quantity of [0, 10]) {
      const stock = await given({ quantity });
      const body = ofTarget(stock, { targetWarehouseId: stock.warehouseId });
      await expectRefused(stock, body, invalid('targetWarehouseId'));
    }
  });

  it('to a warehouse that this company does not have is UNKNOWN_REFERENCE', async () => {
    const stock = await given({ quantity: 10 });
    for (const targetWarehouseId of [UNKNOWN, Number.MAX_SAFE_INTEGER, await makeWarehouse(stranger)]) {
      await expectRefused(stock, ofTarget(stock, { targetWarehouseId }), unknown('targetWarehouseId'));
    }
  });

  it.each([undefined, null, 0, -1, 1.5, '1', '', true, [], {}])(
    'targetWarehouseId · %j is refused',
    async (targetWarehouseId) => {
      const stock = await given({ quantity: 10 });
      await expectRefused(stock, ofTarget(stock, { targetWarehouseId }), invalid('targetWarehouseId'));
    },
  );

  it('leaves no record behind where it is refused', async () => {
    const stock = await given({ quantity: 1 });
    const targetWarehouseId = await makeWarehouse();
    await expectRefused(stock, ofTarget(stock, { targetWarehouseId }), insufficient);
    expect((await records(`warehouseId=${targetWarehouseId}`)).data).toEqual([]);
    const rows = await service.database.query('select id from stock_records where warehouse_id = $1', [
      targetWarehouseId,
    ]);
    expect(rows).toEqual([]);
  });

  const RUBBISH = [UNKNOWN, 0, -1, 1.5, 'x', '', null, true, [], [[1]], {}, { id: 1 }];
  it.each(OTHER_TYPES)('targetWarehouseId · is ignored by %s, whatever it is', async (type) => {
    const stock = await given({ quantity: 100, reserved: 50 });
    const own = { targetWarehouseId: stock.warehouseId };
    const body = await bodyOf(stock, type, 1);
    for (const more of [...RUBBISH.map((targetWarehouseId) => ({ targetWarehouseId })), own]) {
      const answer = await send({ ...body, ...more }, { holdsIgnored: true });
      expect({ more, status: answer.status, keys: Object.keys(JSON.parse(answer.text)).sort() }).toEqual({
        more,
        status: 201,
        keys: [
          ...['movementId', 'newQuantity', 'newReservedQuantity', 'previousQuantity'],
          ...['previousReservedQuantity', 'success'],
        ],
      });
    }
    expect((await records(`productId=${stock.productId}`)).data).toHaveLength(1);
  });
});

describe('POST /inventory/movements/create · its other fields', () => {
  const add = ({ inventoryId }: Stock, more: object = {}) => ({
    ...{ inventoryId, movementType: 'ADD', quantity: 1 },
    ...more,
  });

  it.each(TYPES)('inventoryId · unknown is UNKNOWN_REFERENCE for %s', async (type) => {
    const stock = await given({ quantity: 1 });
    const theirs = await given({ quantity: 1, by: stranger });
    for (const inventoryId of [UNKNOWN, Number.MAX_SAFE_INTEGER, theirs.inventoryId]) {
      const body = { ...(await bodyOf(stock, type, 1)), inventoryId };
      await expectRefused(stock, body, unknown('inventoryId'));
    }
  });

  it.each(['inventoryId', 'movementType', 'quantity'])('%s · is required', async (field) => {
    const stock = await given();
    for (const nothing of [undefined, null]) {
      await expectRefused(stock, add(stock, { [field]: nothing }), invalid(field));
    }
  });

  const values: [field: string, value: unknown][] = [
    ['unitPrice', 0],
    ['unitPrice', 0.0001],
    ['unitPrice', 12.3456],
    ['unitPrice', MOST],
    ['reason', 'x'],
    ['reason', ' ספירת מלאי %_\\ 😀 '],
    ['reason', "Robert'); drop table stock_movements;--"],
    ['reason', '😀'.repeat(500)],
    ['referenceId', 1],
    ['referenceId', Number.MAX_SAFE_INTEGER],
    ['referenceType', 'SALE'],
    ['referenceType', 'EXPENSE'],
    ['referenceType', 'ADJUSTMENT'],
    ['referenceType', 'ספירה'.repeat(10)],
    ['notes', 'first line\nsecond line'],
    ['notes', 'א'.repeat(2_000)],
  ];
  it.each(values.map(([field, value]) => ({ field, value, shown: JSON.stringify(value).slice(0, 40) })))(
    '$field · $shown is kept as it is',
    async ({ field, value }) => {
      const stock = await given();
      await move(add(stock, { [field]: value }));
      expect((await newest(stock)).movement).toMatchObject({ ...UNTOLD, [field]: value });
    },
  );

  const nothings = Object.keys(UNTOLD).flatMap((field): [string, unknown][] => [
    [field, undefined],
    [field, null],
    ...(['reason', 'referenceType', 'notes'].includes(field) ? [[field, ''] as [string, unknown]] : []),
  ]);
  it.each(nothings)('%s · %j reads back as null', async (field, value) => {
    const stock = await given();
    const told = { unitPrice: 1, reason: 'a', referenceId: 2, referenceType: 'b', notes: 'c' };
    await move(add(stock, { ...told, [field]: value }));
    expect((await newest(stock)).movement).toMatchObject({ ...told, [field]: null });
  });

  it.each([
    ['unitPrice', -0.0001],
    ['unitPrice', 1.00001],
    ['unitPrice', '1'],
    ['reason', '   '],
    ['reason', 'x'.repeat(501)],
    ['referenceId', '7'],
    ['referenceId', 1.5],
    ['referenceType', 'x'.repeat(51)],
    ['notes', 'x'.repeat(2_001)],
    ['notes', 5],
  ])('%s · %j is refused', async (field, value) => {
    const stock = await given();
    await expectRefused(stock, add(stock, { [field]: value }), invalid(field));
  });

  it('what the service tells itself cannot be told', async () => {
    const stock = await given();
    const told = {
      ...{ id: 1, userId: 77, warehouseId: 77, documentId: 77, companyId: 77, isVirtual: true },
      ...{ previousQuantity: 77, newQuantity: 77, createdAt: '2001-01-01T00:00:00Z' },
    };
    await send(add(stock, told), { holdsIgnored: true });
    const { movement } = await newest(stock);
    expect(movement).toMatchObject({
      ...{ ...UNTOLD, warehouseId: stock.warehouseId, documentId: null, isVirtual: false },
      ...{ previousQuantity: 0, newQuantity: 1 },
    });
    expect(movement.id).not.toBe(1);
    expect(Math.abs(Date.parse(movement.createdAt) - Date.now())).toBeLessThan(60_000);
  });
});

describe('Stock movement row (list item)', () => {
  let stock: Stock;
  let made: Json & { movementId: number };
  let row: Row;
  let userId: number;

  beforeAll(async () => {
    stock = await given({ quantity: 5 });
    const { inventoryId } = stock;
    made = await move({
      ...{ inventoryId, movementType: 'RESERVE', quantity: 2.5, unitPrice: 12.3456 },
      ...{ reason: 'order taken', referenceId: 4711, referenceType: 'SALE', notes: 'by phone' },
    });
    row = await newest(stock);
    const { data } = await api.ok<List<{ userId: number; userName: string }>>('GET /api-keys');
    userId = data.find(({ userName }) => userName === 'Noa')!.userId;
  });

  const fields: [field: string, expected: () => unknown][] = [
    ['id', () => made.movementId],
    ['inventoryId', () => stock.inventoryId],
    ['warehouseId', () => stock.warehouseId],
    ['userId', () => userId],
    ['documentId', () => null],
    ['movementType', () => 'RESERVE'],
    ['quantity', () => 2.5],
    ['unitPrice', () => 12.3456],
    ['reason', () => 'order taken'],
    ['referenceId', () => 4711],
    ['referenceType', () => 'SALE'],
    ['notes', () => 'by phone'],
    ['isVirtual', () => true],
    ['createdAt', () => expect.stringMatching(TIMESTAMP)],
    // Beside those of the specification.
    ['previousQuantity', () => 5],
    ['newQuantity', () => 5],
    ['previousReservedQuantity', () => 0],
    ['newReservedQuantity', () => 2.5],
    ['counterpartInventoryId', () => null],
  ];

  it.each(fields)('movement.%s', (field, expected) => expect(row.movement[field]).toEqual(expected()));

  it('inventory', () => {
    const { inventoryId: id, productId, warehouseId } = stock;
    expect(row.inventory).toEqual({ id, productId, warehouseId });
  });

  it('user', () => expect(row.user).toEqual({ id: userId, name: 'Noa' }));

  it('has these fields and no others, also where nothing was told', async () => {
    expect(Object.keys(row).sort()).toEqual(['inventory', 'movement', 'user']);
    const names = fields.map(([field]) => field).sort();
    expect(Object.keys(row.movement).sort()).toEqual(names);
    await move({ inventoryId: stock.inventoryId, movementType: 'ADD', quantity: 1 });
    const bare = (await newest(stock)).movement;
    expect(Object.keys(bare).sort()).toEqual(names);
    expect(bare).toMatchObject({ ...UNTOLD, documentId: null });
  });

  it.each(TYPES)('movement.isVirtual · of %s', async (type) => {
    const own = await given({ quantity: 10, reserved: 5 });
    await move(await bodyOf(own, type, 1));
    expect((await newest(own)).movement['isVirtual']).toBe(type === 'RESERVE' || type === 'RELEASE');
  });

  it('movement.createdAt · is when it was recorded, and never before the one before it', async () => {
    const own = await given();
    const started = Date.now();
    for (let count = 0; count < 5; count++) await move(await bodyOf(own, 'ADD', 1));
    const { data } = await list(`inventoryId=${own.inventoryId}&sortBy=id&sortOrder=asc`);
    const times = data.map(({ movement }) => Date.parse(movement.createdAt));
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times[0]).toBeGreaterThanOrEqual(started - 1_000);
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});

describe('GET /inventory/movements', () => {
  let own: string;
  let first: Stock;
  let second: Stock;
  /** All of the company's movements, oldest first. */
  let rows: readonly Row[];
  const namesOf = async (query: string) => {
    const { data, pagination } = await list(query, own);
    expect(pagination['total']).toBe(data.length);
    return data.map(({ movement }) => rows.findIndex((one) => one.movement.id === movement.id));
  };
  const encoded = (text: string) => encodeURIComponent(text);

  beforeAll(async () => {
    own = await newCompany();
    [first, second] = [await given({ by: own }), await given({ by: own })];
    const [one, other] = [first.inventoryId, second.inventoryId];
    const told: [inventoryId: number, movementType: string, quantity: number, reason: string | null][] = [
      [one, 'ADD', 10, 'Damaged in transit'],
      [other, 'ADD', 5, 'נספר מחדש'],
      [one, 'SUBTRACT', 2, '100% checked'],
      [one, 'RESERVE', 0.5, 'a_b\\c'],
      [one, 'RELEASE', 0.5, null],
      [other, 'ADD', 5, 'DAMAGED 100 axb'],
      [one, 'TRANSFER', 2, 'moved'],
    ];
    const targetWarehouseId = await makeWarehouse(own);
    for (const [inventoryId, movementType, quantity, reason] of told) {
      const target = movementType === 'TRANSFER' ? { targetWarehouseId } : {};
      await move({ inventoryId, movementType, quantity, reason, ...target }, own);
    }
    rows = (await list('sortBy=id&sortOrder=asc', own)).data;
    // Of somebody else, and never to be seen here.
    await move({
      inventoryId: (await given()).inventoryId,
      movementType: 'ADD',
      quantity: 5,
      reason: 'moved',
    });
  });

  it('answers the newest first, with the pagination block', async () => {
    const all = await list('', own);
    expect(Object.keys(all).sort()).toEqual(['data', 'pagination']);
    expect(all.data).toEqual([...rows].reverse());
    expect(all.pagination).toEqual({ total: 8, ...PAGE });
    expect(await list('sortBy=createdAt&sortOrder=desc', own)).toEqual(all);
  });

  it('inventoryId · only movements on this stock record', async () => {
    expect(await namesOf(`inventoryId=${first.inventoryId}`)).toEqual([6, 4, 3, 2, 0]);
    expect(await namesOf(`inventoryId=${second.inventoryId}`)).toEqual([5, 1]);
    expect(await namesOf(`inventoryId=${rows[7]!.movement.inventoryId}`)).toEqual([7]);
  });

  it.each(['0', String(UNKNOWN), '999999999999999'])('inventoryId · %s, unknown, finds none', async (id) => {
    const window = { ...PAGE, totalPages: 0 };
    expect(await list(`inventoryId=${id}`, own)).toEqual({ data: [], pagination: { total: 0, ...window } });
  });

  it('inventoryId · there is no filter by product or by warehouse', async () => {
    const { productId, warehouseId } = first;
    const all = [7, 6, 5, 4, 3, 2, 1, 0];
    expect(await namesOf(`productId=${productId}&warehouseId=${warehouseId}`)).toEqual(all);
  });

  it.each([
    ['ADD', [5, 1, 0]],
    ['SUBTRACT', [2]],
    ['ADJUST', []],
    ['TRANSFER', [7, 6]],
    ['RESERVE', [3]],
    ['RELEASE', [4]],
    ['RELEASE_AND_SUBTRACT', []],
    ['ADD_AND_RESERVE', []],
  ])('movementType · %s', async (type, expected) => {
    expect(await namesOf(`movementType=${type}`)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ['damaged', [5, 0]],
    ['DAMAGED', [5, 0]],
    ['aMaGe', [5, 0]],
    ['in transit', [0]],
    ['ma', [5, 0]],
    ['d', [7, 6, 5, 2, 0]],
    ['D', [7, 6, 5, 2, 0]],
    [' damaged ', [5, 0]],
    ['נספר מחדש', [1]],
    ['ספר', [1]],
    ['דש', [1]],
    ['ח', [1]],
    ['100', [5, 2]],
    ['100%', [2]],
    ['%', [2]],
    ['0%', [2]],
    ['%%', []],
    ['d%d', []],
    ['_', [3]],
    ['a_b', [3]],
    ['axb', [5]],
    ['___', []],
    ['\\', [3]],
    ['b\\c', [3]],
    ['\\c', [3]],
    ['\\\\', []],
    ['moved', [7, 6]],
    ['moved out', []],
    ["' or ''='", []],
    ['', [7, 6, 5, 4, 3, 2, 1, 0]],
    ['   ', [7, 6, 5, 4, 3, 2, 1, 0]],
    ['null', []],
  ])('reason · %j is looked for anywhere in the text', async (reason, expected) => {
    expect(await namesOf(`reason=${encoded(reason)}`)).toEqual(expected);
  });

  it('reason · is found in any letters and any script', async () => {
    const { inventoryId } = await given({ by: own });
    const reasons = ['Übergabe an СКЛАД', 'ÉCLAIR café', '😀😀 done', 'straße ΑΘΗΝΑ', 'two\nlines', 'א%ב_ג'];
    for (const reason of reasons) {
      await move({ inventoryId, movementType: 'ADD', quantity: 1, reason }, own);
    }
    const searches: [text: string, place: number][] = [
      ['übergabe', 0],
      ['ÜB', 0],
      ['склад', 0],
      ['Скл', 0],
      ['éclair', 1],
      ['É', 1],
      ['CAFÉ', 1],
      ['😀😀', 2],
      ['😀 d', 2],
      ['STRAßE', 3],
      ['αθηνα'.slice(0, 4), 3],
      ['two\nlines', 4],
      ['א%ב', 5],
      ['%ב_', 5],
      ['ב_ג', 5],
    ];
    for (const [text, place] of searches) {
      const { data } = await list(`inventoryId=${inventoryId}&reason=${encoded(text)}`, own);
      const found = data.map(({ movement }) => movement['reason']);
      expect({ text, found }).toEqual({ text, found: [reasons[place]] });
    }
    rows = (await list('sortBy=id&sortOrder=asc', own)).data;
  });

  it('filters count together', async () => {
    const filter = `inventoryId=${second.inventoryId}&movementType=ADD`;
    expect(await namesOf(filter)).toEqual([5, 1]);
    expect(await namesOf(`${filter}&reason=axb`)).toEqual([5]);
    expect(await namesOf(`${filter}&reason=ax&sortBy=id`)).toEqual([5]);
    expect(await namesOf(`${filter}&reason=transit`)).toEqual([]);
    expect(await namesOf(`movementType=TRANSFER&reason=moved&sortOrder=asc`)).toEqual([6, 7]);
  });

  it('counts what was moved since, whatever was counted before', async () => {
    const { inventoryId } = await given({ by: own });
    const filters = ['', `inventoryId=${inventoryId}`, 'movementType=ADJUST', 'reason=counted', 'reason=un'];
    const before = await Promise.all(filters.map((filter) => list(filter, own)));
    for (let count = 1; count <= 3; count++) {
      const counted = { inventoryId, movementType: 'ADJUST', quantity: 1, reason: 'counted' };
      const { movementId } = await move(counted, own);
      for (const [place, filter] of filters.entries()) {
        const { data, pagination } = await list(filter, own);
        const total = Number(before[place]!.pagination['total']) + count;
        expect({ filter, total: pagination['total'] }).toEqual({ filter, total });
        expect(data[0]!.movement.id).toBe(movementId);
      }
    }
    rows = (await list('sortBy=id&sortOrder=asc', own)).data;
  });

  const KEYS = ['id', 'movementType', 'quantity', 'createdAt'] as const;
  const orders = KEYS.flatMap((by) => (['asc', 'desc'] as const).map((order) => ({ by, order })));

  function sorted(of: readonly Row[], by: (typeof KEYS)[number], order: 'asc' | 'desc'): Row[] {
    const compared = (one: Row, other: Row) => {
      const [a, b] = [one.movement[by], other.movement[by]] as [number, number];
      return a === b ? one.movement.id - other.movement.id : a < b ? -1 : 1;
    };
    const ascending = [...of].sort(compared);
    return order === 'asc' ? ascending : ascending.reverse();
  }

  it.each(orders)('sortBy · $by $order, ties by id in the same direction', async ({ by, order }) => {
    const query = `sortBy=${by}&sortOrder=${order}`;
    const expected = sorted(rows, by, order);
    expect((await list(query, own)).data).toEqual(expected);
    const paged: Row[] = [];
    for (let page = 1; page <= Math.ceil(rows.length / 3); page++) {
      paged.push(...(await list(`${query}&limit=3&page=${page}`, own)).data);
    }
    expect(paged).toEqual(expected);
    const filters: [filter: string, of: (row: Row) => boolean][] = [
      [`inventoryId=${first.inventoryId}`, ({ movement }) => movement.inventoryId === first.inventoryId],
      ['movementType=ADD', ({ movement }) => movement.movementType === 'ADD'],
      ['reason=amaged', ({ movement }) => /amaged/i.test(String(movement['reason']))],
      ['reason=ed', ({ movement }) => /ed/i.test(String(movement['reason']))],
    ];
    for (const [filter, of] of filters) {
      const { data } = await list(`${query}&${filter}`, own);
      expect({ filter, data }).toEqual({ filter, data: sorted(rows.filter(of), by, order) });
    }
  });

  it.each([
    ['sortOrder=asc', 'createdAt', 'asc'],
    ['sortOrder=ASC', 'createdAt', 'desc'],
    ['sortOrder=up', 'createdAt', 'desc'],
    ['sortOrder=', 'createdAt', 'desc'],
    ['sortBy=price', 'createdAt', 'desc'],
    ['sortBy=created_at&sortOrder=asc', 'createdAt', 'asc'],
    ['sortBy=reason&sortOrder=asc', 'createdAt', 'asc'],
    ['sortBy=__proto__', 'createdAt', 'desc'],
    ['sortBy=QUANTITY', 'createdAt', 'desc'],
    ['sortBy=id', 'id', 'desc'],
    ['sortBy=quantity', 'quantity', 'desc'],
    ['sortBy=quantity;drop%20table&sortOrder=asc', 'createdAt', 'asc'],
  ] as const)('sortBy, sortOrder · ?%s is by %s %s', async (query, by, order) => {
    expect((await list(query, own)).data).toEqual(sorted(rows, by, order));
  });

  it.each(WINDOWS)('limit, offset, page, pageSize · ?%s is %d from %d', async (query, limit, offset) => {
    const total = rows.length;
    const { data, pagination } = await list(query, own);
    expect(data).toEqual([...rows].reverse().slice(offset, offset + limit));
    expect(pagination).toEqual({
      ...{ total, limit, offset, hasMore: offset + data.length < total },
      ...{ page: Math.floor(offset / limit) + 1, pageSize: limit, totalPages: Math.ceil(total / limit) },
    });
  });

  it('offset · a page that is not whole', async () => {
    expect((await list('limit=4&offset=6', own)).pagination).toMatchObject({ page: 2, offset: 6 });
  });
});

describe('GET /warehouses', () => {
  interface Warehouse {
    readonly id: number;
    readonly name: string;
  }
  const all = (query: string, by: string) =>
    api.ok<List<Warehouse>>('GET /warehouses', { at: `/warehouses${query}`, key: by });
  const create = (body: object, by: string) => api.send('POST /warehouses/create', { body, key: by });
  const QUERIES = [
    '?limit=1',
    '?page=2',
    '?offset=100',
    '?pageSize=2&page=3',
    '?limit=abc&page=-1',
    '?limit=0',
  ];

  it('is the whole set, oldest first, whatever window is asked for', async () => {
    const own = await newCompany();
    const address = { street: 'Herzl', city: 'Haifa' };
    const { addressId } = await api.ok<{ addressId: number }>('POST /addresses/create', {
      body: address,
      key: own,
    });
    const names = Array.from({ length: 52 }, (_, n) => `מחסן ${52 - n}`);
    const ids: number[] = [];
    for (const [n, name] of names.entries()) {
      const answer = await create({ name, ...(n === 0 ? { addressId } : {}) }, own);
      expect(answer.status).toBe(201);
      const made = JSON.parse(answer.text) as { warehouseId: number };
      expect(made).toEqual({ success: true, warehouseId: expect.any(Number) });
      ids.push(made.warehouseId);
    }
    const whole = await all('', own);
    expect(whole).toEqual({
      data: names.map((name, n) => ({
        ...{ id: ids[n], name, addressId: n === 0 ? addressId : null },
        createdAt: expect.stringMatching(TIMESTAMP),
      })),
      pagination: {
        ...{ total: 52, limit: 52, offset: 0, hasMore: false, page: 1, pageSize: 52, totalPages: 1 },
      },
    });
    for (const query of QUERIES) expect(await all(query, own)).toEqual(whole);
  });

  it('is empty where there is none', async () => {
    const own = await newCompany();
    for (const query of ['', ...QUERIES]) {
      expect(await all(query, own)).toEqual({
        data: [],
        pagination: { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 },
      });
    }
  });

  it('addressId · that this company does not have is UNKNOWN_REFERENCE, and nothing is made', async () => {
    const own = await newCompany();
    expectError(await create({ name: 'Main', addressId: UNKNOWN }, own), unknown('addressId'));
    expect((await all('', own)).data).toEqual([]);
  });

  it.each(['x', '😀'.repeat(200), "'; drop table warehouses;--", ' שלום %_\\ '])(
    'name · %j is stored as it is, and may be that of another',
    async (name) => {
      for (let count = 0; count < 2; count++) expect((await create({ name }, key)).status).toBe(201);
      const { data } = await all('', key);
      expect(data.slice(-2).map((one) => one.name)).toEqual([name, name]);
    },
  );

  it.each([undefined, null, '', '   ', 'x'.repeat(201), 5, ['x']])('name · %j is refused', async (name) => {
    expectError(await create({ name }, key), invalid('name'));
  });
});

describe('GET /inventory', () => {
  let own: string;
  /** Of two products in two warehouses, but for the last of the four. */
  let ids: number[];
  const products: number[] = [];
  const warehouses: number[] = [];
  const found = async (query: string) => {
    const { data, pagination } = await records(query, own);
    expect(pagination).toEqual({ ...PAGE, total: data.length, totalPages: data.length > 0 ? 1 : 0 });
    return data.map(({ id }) => ids.indexOf(id as number));
  };

  beforeAll(async () => {
    own = await newCompany();
    for (let count = 0; count < 2; count++) {
      products.push(await makeProduct(own));
      warehouses.push(await makeWarehouse(own));
    }
    ids = [];
    for (const [product, warehouse] of [
      [0, 0],
      [0, 1],
      [1, 0],
    ] as const) {
      const body = { productId: products[product], warehouseId: warehouses[warehouse] };
      const made = await api.ok<{ inventoryId: number }>('POST /inventory/create', { body, key: own });
      ids.push(made.inventoryId);
    }
    await move({ inventoryId: ids[1], movementType: 'ADD', quantity: 0.3 }, own);
    await move({ inventoryId: ids[1], movementType: 'RESERVE', quantity: 0.1 }, own);
  });

  it('answers these fields and no others', async () => {
    const { data } = await records('', own);
    const bare = { quantity: 0, reservedQuantity: 0, availableQuantity: 0, lowStockThreshold: null };
    const stocked = { ...bare, quantity: 0.3, reservedQuantity: 0.1, availableQuantity: 0.2 };
    expect(data).toEqual([
      { id: ids[0], productId: products[0], warehouseId: warehouses[0], ...bare },
      { id: ids[1], productId: products[0], warehouseId: warehouses[1], ...stocked },
      { id: ids[2], productId: products[1], warehouseId: warehouses[0], ...bare },
    ]);
  });

  it('productId', async () => {
    expect(await found(`productId=${products[0]}`)).toEqual([0, 1]);
    expect(await found(`productId=${products[1]}`)).toEqual([2]);
  });

  it('warehouseId', async () => {
    expect(await found(`warehouseId=${warehouses[0]}`)).toEqual([0, 2]);
    expect(await found(`warehouseId=${warehouses[1]}`)).toEqual([1]);
  });

  it('both together', async () => {
    expect(await found(`productId=${products[0]}&warehouseId=${warehouses[1]}`)).toEqual([1]);
    expect(await found(`productId=${products[1]}&warehouseId=${warehouses[1]}`)).toEqual([]);
    expect(await found(`productId=${UNKNOWN}&warehouseId=${warehouses[0]}`)).toEqual([]);
    expect(await found('productId=0')).toEqual([]);
  });

  it.each([
    ['limit=2', 2, 0],
    ['limit=2&page=2', 2, 2],
    ['limit=1&pageSize=2&offset=1&page=9', 2, 1],
    ['limit=2&page=9', 2, 16],
  ])('limit, offset, page, pageSize · ?%s', async (query, limit, offset) => {
    const { data, pagination } = await records(query, own);
    expect(data.map(({ id }) => id)).toEqual(ids.slice(offset, offset + limit));
    expect(pagination).toMatchObject({ total: 3, limit, pageSize: limit, offset, totalPages: 2 });
  });
});

describe('POST /inventory/create', () => {
  const create = (body: object) => api.send('POST /inventory/create', { body, key });
  const place = async () => ({ productId: await makeProduct(), warehouseId: await makeWarehouse() });

  it('answers 201 { success, inventoryId }, of a record that holds nothing', async () => {
    const at = await place();
    const answer = await create(at);
    expect(answer.status).toBe(201);
    const made = JSON.parse(answer.text) as { inventoryId: number };
    expect(made).toEqual({ success: true, inventoryId: expect.any(Number) });
    const nothing = { quantity: 0, reservedQuantity: 0, availableQuantity: 0, lowStockThreshold: null };
    expect(await recordOf(at)).toEqual({ id: made.inventoryId, ...at, ...nothing });
    expect((await list(`inventoryId=${made.inventoryId}`)).data).toEqual([]);
  });

  it('of one that exists answers 200 { success, inventoryId, alreadyExists }, and changes nothing', async () => {
    const { inventoryId, productId, warehouseId } = await given({ quantity: 5, lowStockThreshold: 3 });
    const before = await everythingOf(productId);
    for (const more of [{}, { lowStockThreshold: null }, { lowStockThreshold: 77 }]) {
      const answer = await create({ productId, warehouseId, ...more });
      expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
        status: 200,
        body: { success: true, inventoryId, alreadyExists: true },
      });
      expect(await everythingOf(productId)).toEqual(before);
    }
  });

  it('quantity and reservedQuantity cannot be set: they are ignored like any unknown field', async () => {
    const at = await place();
    const body = { ...at, quantity: 5, reservedQuantity: 1, id: 1, companyId: 77 };
    await api.ok('POST /inventory/create', { body, key, holdsIgnored: true });
    expect(await recordOf(at)).toMatchObject({ quantity: 0, reservedQuantity: 0 });
  });

  it.each(['productId', 'warehouseId'])('%s · unknown is UNKNOWN_REFERENCE', async (field) => {
    const at = await place();
    const theirs = field === 'productId' ? await makeProduct(stranger) : await makeWarehouse(stranger);
    for (const id of [UNKNOWN, Number.MAX_SAFE_INTEGER, theirs]) {
      expectError(await create({ ...at, [field]: id }), unknown(field));
    }
    expect((await records(`productId=${at.productId}`)).data).toEqual([]);
  });

  it.each([0, 0.0001, 5.5, MOST, null])('lowStockThreshold · %j', async (lowStockThreshold) => {
    const at = await place();
    expect((await create({ ...at, lowStockThreshold })).status).toBe(201);
    expect(await recordOf(at)).toMatchObject({ lowStockThreshold });
  });

  it.each([-0.0001, 0.00001, 1e10, '5', true])('lowStockThreshold · %j is refused', async (value) => {
    const at = await place();
    expectError(await create({ ...at, lowStockThreshold: value }), invalid('lowStockThreshold'));
    expect((await records(`productId=${at.productId}`)).data).toEqual([]);
  });
});

describe('PUT /inventory/edit/:id', () => {
  const edit = (id: unknown, body: object, holdsIgnored = false) =>
    api.send('PUT /inventory/edit/{id}', { at: `/inventory/edit/${String(id)}`, body, key, holdsIgnored });

  it.each<[object, number | null]>([
    [{ lowStockThreshold: 7.25 }, 7.25],
    [{ lowStockThreshold: 0 }, 0],
    [{ lowStockThreshold: MOST }, MOST],
    [{ lowStockThreshold: null }, null],
    [{}, 3],
  ])('%j answers { success, inventoryId }, and leaves the rest', async (body, lowStockThreshold) => {
    const stock = await given({ quantity: 5, reserved: 1, lowStockThreshold: 3 });
    const { inventoryId } = stock;
    const before = await recordOf(stock);
    const answer = await edit(inventoryId, body);
    expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
      status: 200,
      body: { success: true, inventoryId },
    });
    expect(await recordOf(stock)).toEqual({ ...before, lowStockThreshold });
  });

  it.each([-1, 0.00001, 1e10, '5', '', true, []])('lowStockThreshold · %j is refused', async (value) => {
    const stock = await given({ lowStockThreshold: 3 });
    const answer = await edit(stock.inventoryId, { lowStockThreshold: value });
    expectError(answer, invalid('lowStockThreshold'));
    expect(await recordOf(stock)).toMatchObject({ lowStockThreshold: 3 });
  });

  it('changes no stock and no place: what says so is ignored', async () => {
    const stock = await given({ quantity: 5, reserved: 1 });
    const before = await everythingOf(stock.productId);
    const body = { quantity: 77, reservedQuantity: 0, productId: 1, warehouseId: 1, availableQuantity: 77 };
    expect((await edit(stock.inventoryId, body, true)).status).toBe(200);
    expect(await everythingOf(stock.productId)).toEqual(before);
  });

  it('of an unknown record is 404', async () => {
    const theirs = await given({ by: stranger });
    for (const id of [0, UNKNOWN, '999999999999999', theirs.inventoryId]) {
      expectError(await edit(id, { lowStockThreshold: 1 }), notFound);
      expectError(await edit(id, {}), notFound);
    }
  });

  it.each(['abc', '1.5', '-1', '1e3', '9007199254740993', 'movements'])('of %s is 400', async (id) => {
    expectError(await edit(id, { lowStockThreshold: 1 }), invalid('id'));
  });
});

describe('a movement is never changed', () => {
  let stock: Stock;
  let before: unknown;
  let id: number;

  beforeAll(async () => {
    stock = await given({ quantity: 5, reserved: 1 });
    ({ id } = (await newest(stock)).movement);
    before = await everythingOf(stock.productId);
  });
  afterEach(async () => expect(await everythingOf(stock.productId)).toEqual(before));

  const METHODS = ['PUT', 'PATCH', 'DELETE'];
  const request = (method: string, path: string) =>
    exchange(service.url, { method, path, body: '{"quantity":77,"reason":"changed"}' });

  it.each(METHODS.flatMap((method) => ['', 'edit/', 'delete/', 'id/'].map((at) => [method, at])))(
    '%s /inventory/movements/%s… is no route',
    async (method, at) => {
      expectError(await request(method, `/inventory/movements/${at}${id}`), notFound);
      expectError(await request(method, `/inventory/${stock.inventoryId}/movements/${id}`), notFound);
    },
  );

  it.each(METHODS)('%s of the list and of create is 405', async (method) => {
    const refused: ExpectedError = { status: 405, code: 'METHOD_NOT_ALLOWED' };
    const answers = [
      await request(method, '/inventory/movements'),
      await request(method, '/inventory/movements/create'),
    ];
    for (const answer of answers) expectError(answer, refused);
    expect(answers.map(({ headers }) => headers.allow)).toEqual(['GET, HEAD', 'POST']);
  });

  it.each([
    'update stock_movements set quantity = quantity + 1',
    "update stock_movements set notes = 'changed' where id = $1",
    'update stock_movements set created_at = now() where false',
    'delete from stock_movements where id = $1',
    'delete from stock_movements',
    'truncate stock_movements',
    'truncate stock_records cascade',
    'truncate products cascade',
    `insert into stock_movements
       (company_id, id, stock_record_id, user_id, movement_type, quantity, previous_quantity, new_quantity,
        previous_reserved_quantity, new_reserved_quantity, created_at)
     overriding system value
     select company_id, id, stock_record_id, user_id, movement_type, 77, 0, 77, 0, 0, now()
       from stock_movements where id = $1 on conflict (company_id, id) do update set quantity = 77`,
  ])('nor by the database: %s', async (sql) => {
    const parameters = sql.includes('$1') ? [id] : [];
    await expect(service.database.query(sql, parameters)).rejects.toThrow('movements are never changed');
  });

  it.each([
    'update stock_records set quantity = -1, reserved_quantity = -1 where id = $1',
    'update stock_records set reserved_quantity = quantity + 1 where id = $1',
    'update stock_records set reserved_quantity = -0.0001 where id = $1',
    'delete from stock_records where id = $1',
    `insert into stock_records (company_id, product_id, warehouse_id, moved_at, created_at)
     select company_id, product_id, warehouse_id, now(), now() from stock_records where id = $1`,
  ])('nor does the database take stock that cannot be: %s', async (sql) => {
    await expect(service.database.query(sql, [stock.inventoryId])).rejects.toThrow(/violates/);
  });
});

describe('npm run -s admin -- stock:verify', () => {
  it('counts what it compared where all is right', async () => {
    const [there] = await service.database.query(
      `select (select count(*)::int from stock_records) as records,
              (select count(*)::int from stock_movements) as movements`,
    );
    expect(await service.admin('stock:verify')).toEqual({ ...there, disagreements: 0 });
  });

  it('prints each record that disagrees with its movements, of any company, and fails', async () => {
    const stocks = [
      await given({ quantity: 5, reserved: 2 }),
      await given({ quantity: 7, by: await newCompany() }),
    ];
    const ids = stocks.map(({ inventoryId }) => inventoryId);
    const by = (change: number) =>
      service.database.query('update stock_records set quantity = quantity + $2 where id = any ($1)', [
        ids,
        change,
      ]);
    await by(0.5);
    const printed = await service.admin('stock:verify').catch((error: Error) => error.message);
    await by(-0.5);
    const [, lines = ''] = /^stock:verify ended with 1: (.*)$/s.exec(String(printed)) ?? [];
    const told = lines.trim().split('\n');
    expect(told.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        inventoryId: ids[0],
        recorded: { quantity: 5.5, reservedQuantity: 2 },
        moved: { quantity: 5, reservedQuantity: 2 },
        brokenMovementId: null,
      }),
      expect.objectContaining({ inventoryId: ids[1], moved: { quantity: 7, reservedQuantity: 0 } }),
      expect.objectContaining({ disagreements: 2 }),
    ]);
  });
});
