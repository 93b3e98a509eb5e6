import { expectError } from './error-body';
import { invalid, notFound, unknown } from './expected-errors';
import {
  api,
  bodyOf,
  everythingOf,
  given,
  type Json,
  key,
  type List,
  list,
  makeProduct,
  makeWarehouse,
  MOST,
  move,
  newCompany,
  newest,
  recordOf,
  records,
  type Row,
  serveStock,
  type Stock,
  stranger,
  TYPES,
  UNTOLD,
} from './stock-calls';
import { WINDOWS } from './windows';
import { PAGE, TIMESTAMP, UNKNOWN_ID } from './wire-values';

serveStock();

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

  it('has exactly these fields, also without optional values', async () => {
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

  it('movement.createdAt · is the time of recording, and never before the previous one', async () => {
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
  /** All movements of the company, oldest first. */
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
    // A movement of another company, which must never be visible here.
    await move({
      inventoryId: (await given()).inventoryId,
      movementType: 'ADD',
      quantity: 5,
      reason: 'moved',
    });
  });

  it('lists newest first, with the pagination block', async () => {
    const all = await list('', own);
    expect(Object.keys(all).sort()).toEqual(['data', 'pagination']);
    expect(all.data).toEqual([...rows].reverse());
    expect(all.pagination).toEqual({ total: 8, ...PAGE });
    expect(await list('sortBy=createdAt&sortOrder=desc', own)).toEqual(all);
  });

  it('inventoryId · only movements of this stock record', async () => {
    expect(await namesOf(`inventoryId=${first.inventoryId}`)).toEqual([6, 4, 3, 2, 0]);
    expect(await namesOf(`inventoryId=${second.inventoryId}`)).toEqual([5, 1]);
    expect(await namesOf(`inventoryId=${rows[7]!.movement.inventoryId}`)).toEqual([7]);
  });

  it.each(['0', String(UNKNOWN_ID), '999999999999999'])(
    'inventoryId · %s, unknown, finds none',
    async (id) => {
      const window = { ...PAGE, totalPages: 0 };
      expect(await list(`inventoryId=${id}`, own)).toEqual({ data: [], pagination: { total: 0, ...window } });
    },
  );

  it('inventoryId · there is no filter by product or warehouse', async () => {
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
  ])('reason · %j is searched anywhere in the text', async (reason, expected) => {
    expect(await namesOf(`reason=${encoded(reason)}`)).toEqual(expected);
  });

  it('reason · finds all letters and scripts', async () => {
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

  it('filters are combined', async () => {
    const filter = `inventoryId=${second.inventoryId}&movementType=ADD`;
    expect(await namesOf(filter)).toEqual([5, 1]);
    expect(await namesOf(`${filter}&reason=axb`)).toEqual([5]);
    expect(await namesOf(`${filter}&reason=ax&sortBy=id`)).toEqual([5]);
    expect(await namesOf(`${filter}&reason=transit`)).toEqual([]);
    expect(await namesOf(`movementType=TRANSFER&reason=moved&sortOrder=asc`)).toEqual([6, 7]);
  });

  it('counts later movements, whatever was counted before', async () => {
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

  it('offset · that is not a multiple of the limit', async () => {
    expect((await list('limit=4&offset=6', own)).pagination).toMatchObject({ page: 2, offset: 6 });
  });
});

describe('GET /inventory', () => {
  let own: string;
  /** Two products in two warehouses, without the last of the four combinations. */
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

  it('has exactly these fields', async () => {
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

  it('isLow', async () => {
    const threshold = (lowStockThreshold: number | null) =>
      api.ok('PUT /inventory/edit/{id}', {
        at: `/inventory/edit/${ids[1]}`,
        body: { lowStockThreshold },
        key: own,
      });
    expect(await found('isLow=true')).toEqual([]);
    await threshold(0.2);
    expect(await found('isLow=true')).toEqual([1]);
    expect(await found('isLow=false')).toEqual([0, 2]);
    expect(await found(`isLow=true&warehouseId=${warehouses[0]}`)).toEqual([]);
    await threshold(0.1999);
    expect(await found('isLow=true')).toEqual([]);
    await threshold(null);
  });

  it('both filters combined', async () => {
    expect(await found(`productId=${products[0]}&warehouseId=${warehouses[1]}`)).toEqual([1]);
    expect(await found(`productId=${products[1]}&warehouseId=${warehouses[1]}`)).toEqual([]);
    expect(await found(`productId=${UNKNOWN_ID}&warehouseId=${warehouses[0]}`)).toEqual([]);
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

  it('returns 201 { success, inventoryId } for an empty record', async () => {
    const at = await place();
    const answer = await create(at);
    expect(answer.status).toBe(201);
    const made = JSON.parse(answer.text) as { inventoryId: number };
    expect(made).toEqual({ success: true, inventoryId: expect.any(Number) });
    const nothing = { quantity: 0, reservedQuantity: 0, availableQuantity: 0, lowStockThreshold: null };
    expect(await recordOf(at)).toEqual({ id: made.inventoryId, ...at, ...nothing });
    expect((await list(`inventoryId=${made.inventoryId}`)).data).toEqual([]);
  });

  it('of an existing record returns 200 { success, inventoryId, alreadyExists }, and changes nothing', async () => {
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

  it('quantity and reservedQuantity are ignored like unknown fields', async () => {
    const at = await place();
    const body = { ...at, quantity: 5, reservedQuantity: 1, id: 1, companyId: 77 };
    await api.ok('POST /inventory/create', { body, key, holdsIgnored: true });
    expect(await recordOf(at)).toMatchObject({ quantity: 0, reservedQuantity: 0 });
  });

  it.each(['productId', 'warehouseId'])('%s · unknown is UNKNOWN_REFERENCE', async (field) => {
    const at = await place();
    const theirs = field === 'productId' ? await makeProduct(stranger) : await makeWarehouse(stranger);
    for (const id of [UNKNOWN_ID, Number.MAX_SAFE_INTEGER, theirs]) {
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
  ])(
    '%j returns { success, inventoryId }, and leaves the other fields unchanged',
    async (body, lowStockThreshold) => {
      const stock = await given({ quantity: 5, reserved: 1, lowStockThreshold: 3 });
      const { inventoryId } = stock;
      const before = await recordOf(stock);
      const answer = await edit(inventoryId, body);
      expect({ status: answer.status, body: JSON.parse(answer.text) }).toEqual({
        status: 200,
        body: { success: true, inventoryId },
      });
      expect(await recordOf(stock)).toEqual({ ...before, lowStockThreshold });
    },
  );

  it.each([-1, 0.00001, 1e10, '5', '', true, []])('lowStockThreshold · %j is refused', async (value) => {
    const stock = await given({ lowStockThreshold: 3 });
    const answer = await edit(stock.inventoryId, { lowStockThreshold: value });
    expectError(answer, invalid('lowStockThreshold'));
    expect(await recordOf(stock)).toMatchObject({ lowStockThreshold: 3 });
  });

  it('ignores fields for stock and place', async () => {
    const stock = await given({ quantity: 5, reserved: 1 });
    const before = await everythingOf(stock.productId);
    const body = { quantity: 77, reservedQuantity: 0, productId: 1, warehouseId: 1, availableQuantity: 77 };
    expect((await edit(stock.inventoryId, body, true)).status).toBe(200);
    expect(await everythingOf(stock.productId)).toEqual(before);
  });

  it('of an unknown record is 404', async () => {
    const theirs = await given({ by: stranger });
    for (const id of [0, UNKNOWN_ID, '999999999999999', theirs.inventoryId]) {
      expectError(await edit(id, { lowStockThreshold: 1 }), notFound);
      expectError(await edit(id, {}), notFound);
    }
  });

  it.each(['abc', '1.5', '-1', '1e3', '9007199254740993', 'movements'])('of %s is 400', async (id) => {
    expectError(await edit(id, { lowStockThreshold: 1 }), invalid('id'));
  });
});
