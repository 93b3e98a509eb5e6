import type { Call } from './described-api';
import { type ExpectedError, expectError } from './error-body';
import { invalid, notFound, unknown } from './expected-errors';
import { type Answer, exchange } from './http-exchange';
import {
  api,
  bodyOf,
  CREATE,
  everythingOf,
  given,
  type Json,
  key,
  list,
  makeWarehouse,
  MOST,
  move,
  newCompany,
  newest,
  recordOf,
  records,
  serveStock,
  service,
  type Stock,
  stranger,
  TYPES,
  UNTOLD,
} from './stock-calls';
import { UNKNOWN_ID } from './wire-values';

serveStock();

const OTHER_TYPES = TYPES.filter((type) => type !== 'TRANSFER');
const send = (body: object, call: Call = {}): Promise<Answer> => api.send(CREATE, { body, key, ...call });
const insufficient: ExpectedError = { status: 409, code: 'INSUFFICIENT_STOCK', field: 'quantity' };
const tooMuch: ExpectedError = { status: 409, code: 'LIMIT_REACHED', field: 'quantity' };

async function expectRefused(
  { productId }: Stock,
  body: object,
  expected: ExpectedError,
  call: Call = {},
): Promise<Answer> {
  const before = await everythingOf(productId);
  const answer = await send(body, call);
  expectError(answer, expected);
  expect(await everythingOf(productId)).toEqual(before);
  return answer;
}

/** The effect of each type with the quantity 2.5 on a record of 10, of which 4 are reserved. */
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

describe('POST /inventory/movements/create · movementType', () => {
  it.each(EFFECTS)(
    '%s · returns the quantities before and after exactly',
    async (type, quantity, reserved, free) => {
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
    },
  );

  it.each([
    ['SUBTRACT', 6, 4, 4],
    ['TRANSFER', 6, 4, 4],
    ['RESERVE', 6, 10, 10],
    ['RELEASE', 4, 10, 0],
    ['RELEASE_AND_SUBTRACT', 4, 6, 0],
  ])('%s · can take all %d', async (type, all, quantity, reserved) => {
    const stock = await given({ quantity: 10, reserved: 4 });
    const body = await bodyOf(stock, type, all);
    expect(await move(body)).toMatchObject({ newQuantity: quantity, newReservedQuantity: reserved });
  });

  it.each([...OTHER_TYPES.map((type) => type.toLowerCase()), 'MOVE', 'ADJUST ', 'RELEASE-AND-SUBTRACT', ''])(
    '%j · is not a type',
    async (movementType) => {
      const stock = await given({ quantity: 1 });
      const { inventoryId } = stock;
      await expectRefused(stock, { inventoryId, movementType, quantity: 1 }, invalid('movementType'));
    },
  );
});

describe('POST /inventory/movements/create · insufficient stock (contract §7.6)', () => {
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

  it('is exact to the last decimal', async () => {
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

  it('SUBTRACT, TRANSFER and RESERVE do not take reserved stock', async () => {
    const stock = await given({ quantity: 5, reserved: 5 });
    for (const type of ['SUBTRACT', 'TRANSFER', 'RESERVE']) {
      await expectRefused(stock, await bodyOf(stock, type, 1), insufficient);
    }
    expect(await move(await bodyOf(stock, 'RELEASE_AND_SUBTRACT', 5))).toMatchObject({
      newQuantity: 0,
      newReservedQuantity: 0,
    });
  });

  it('RELEASE and RELEASE_AND_SUBTRACT take only reserved stock', async () => {
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
    '%d · is accepted, and read back unchanged',
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

  it('is exact for large quantities', async () => {
    const stock = await given({ quantity: MOST });
    const body = await bodyOf(stock, 'SUBTRACT', 0.0001);
    expect((await send(body)).text).toContain('"newQuantity":9999999999.9998,');
    expect((await send(await bodyOf(stock, 'RESERVE', 0.0001))).status).toBe(201);
    expect(await recordOf(stock)).toMatchObject({ availableQuantity: 9_999_999_999.9997 });
  });

  it.each(['ADD', 'ADJUST', 'ADD_AND_RESERVE'])(
    '%s beyond the maximum of a record is LIMIT_REACHED',
    async (type) => {
      const stock = await given({ quantity: MOST });
      await expectRefused(stock, await bodyOf(stock, type, 0.0001), tooMuch);
    },
  );

  it('and so is a TRANSFER beyond the maximum of its target', async () => {
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

  it('targetWarehouseId · its stock record is created if it is missing', async () => {
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

  it('adds to an existing record, and leaves the other fields', async () => {
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

  it('writes two movements with the same type, quantity, time and reference, the source first', async () => {
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

  it('can be reversed', async () => {
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

  it('to its own warehouse is VALIDATION_FAILED for any stock', async () => {
    for (const quantity of [0, 10]) {
      const stock = await given({ quantity });
      const body = ofTarget(stock, { targetWarehouseId: stock.warehouseId });
      await expectRefused(stock, body, invalid('targetWarehouseId'));
    }
  });

  it('to a warehouse of another company is UNKNOWN_REFERENCE', async () => {
    const stock = await given({ quantity: 10 });
    for (const targetWarehouseId of [UNKNOWN_ID, Number.MAX_SAFE_INTEGER, await makeWarehouse(stranger)]) {
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

  it('creates no record if it is refused', async () => {
    const stock = await given({ quantity: 1 });
    const targetWarehouseId = await makeWarehouse();
    await expectRefused(stock, ofTarget(stock, { targetWarehouseId }), insufficient);
    expect((await records(`warehouseId=${targetWarehouseId}`)).data).toEqual([]);
    const rows = await service.database.query('select id from stock_records where warehouse_id = $1', [
      targetWarehouseId,
    ]);
    expect(rows).toEqual([]);
  });

  const RUBBISH = [UNKNOWN_ID, 0, -1, 1.5, 'x', '', null, true, [], [[1]], {}, { id: 1 }];
  it.each(OTHER_TYPES)('targetWarehouseId · is ignored by %s', async (type) => {
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
    for (const inventoryId of [UNKNOWN_ID, Number.MAX_SAFE_INTEGER, theirs.inventoryId]) {
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
    '$field · $shown is stored unchanged',
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

  it('values that the service sets cannot be sent', async () => {
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
    '%s /inventory/movements/%s… is not a route',
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
  ])('nor can the database: %s', async (sql) => {
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
  ])('nor does the database accept invalid stock: %s', async (sql) => {
    await expect(service.database.query(sql, [stock.inventoryId])).rejects.toThrow(/violates/);
  });
});

describe('npm run -s admin -- stock:verify', () => {
  it('counts the compared records if all are consistent', async () => {
    const [there] = await service.database.query(
      `select (select count(*)::int from stock_records) as records,
              (select count(*)::int from stock_movements) as movements`,
    );
    expect(await service.admin('stock:verify')).toEqual({ ...there, disagreements: 0 });
  });

  it('prints each record that differs from its movements, for all companies, and fails', async () => {
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
