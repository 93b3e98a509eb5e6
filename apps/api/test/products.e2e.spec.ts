import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { type ExpectedError, expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { TIMESTAMP } from './wire-values';

interface Product {
  readonly id: number;
  readonly visibleId: string;
  readonly name: string;
  readonly sku: string;
  readonly updatedAt: string;
  readonly createdAt: string;
}

interface List {
  readonly data: Product[];
  readonly pagination: Record<string, unknown>;
  readonly products: Product[];
  readonly totalCount: number;
}

interface Serials {
  readonly data: { readonly id: number; readonly serialNumber: string }[];
  readonly pagination: Record<string, unknown>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const LEAST = { name: 'Paper', sku: 'A4' };
/** A product with default values in all optional fields. */
const DEFAULTS = { manufacturerSku: null, unit: null, buyingPrice: null, sellingPrice: null, isActive: true };

let service: TestService;
let demoCompanyId: number;

beforeAll(async () => {
  service = await startApiService();
  demoCompanyId = (await read<{ id: number }>('/company')).id;
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

const send = (method: string, path: string, body?: unknown, key = DEMO_KEY): Promise<Answer> =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

async function answered<T>(status: number, ...sent: Parameters<typeof send>): Promise<T> {
  const answer = await send(...sent);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  return JSON.parse(answer.text) as T;
}

const read = <T>(path: string, key = DEMO_KEY) => answered<T>(200, 'GET', path, undefined, key);
const edit = (visibleId: string, body: object) =>
  answered<object>(200, 'PUT', `/products/edit/${visibleId}`, body);

async function create(body: object = {}, key = DEMO_KEY): Promise<{ productId: number; visibleId: string }> {
  return answered(201, 'POST', '/products/create', { ...LEAST, ...body }, key);
}

async function newCompany(): Promise<string> {
  const created = await service.createCompany('Another company');
  return created.ownerKey;
}

const serialNumbersOf = async (id: number | string) =>
  (await read<Serials>(`/products/id/${id}/serials`)).data.map(({ serialNumber }) => serialNumber);

const refusal = (field: string): ExpectedError => ({ status: 400, code: 'VALIDATION_FAILED', field });
const LEFT_OUT = Symbol('left out');

/** A value of a field, and the value that is read back, or `refused`. */
type Case = readonly [field: string, sent: unknown, reads: unknown];
const REFUSED = 'refused';

const TEXT_MAX = { name: 200, sku: 100, manufacturerSku: 100, unit: 50 } as const;
/** Cases that apply to create and to edit. */
const VALUES: readonly Case[] = [
  ...Object.entries(TEXT_MAX).flatMap(([field, max]): Case[] => [
    [field, 'x', 'x'],
    [field, ' נייר %_\\ 😀 ', ' נייר %_\\ 😀 '],
    [field, '😀'.repeat(max), '😀'.repeat(max)],
    [field, 'x'.repeat(max + 1), REFUSED],
    [field, '   ', REFUSED],
    [field, 5, REFUSED],
    [field, ['x'], REFUSED],
  ]),
  ...['buyingPrice', 'sellingPrice'].flatMap((field): Case[] => [
    [field, 0, 0],
    [field, 0.1, 0.1],
    [field, 12.3456, 12.3456],
    [field, 9_999_999_999.9999, 9_999_999_999.9999],
    [field, 1.00001, REFUSED],
    [field, -0.0001, REFUSED],
    [field, 10_000_000_000, REFUSED],
    [field, '5', REFUSED],
    [field, '', REFUSED],
    [field, true, REFUSED],
  ]),
  ['isActive', true, true],
  ['isActive', false, false],
  ['isActive', 'false', REFUSED],
  ['isActive', '', REFUSED],
  ['isActive', 0, REFUSED],
  ['serials', [], []],
  ['serials', ['B', 'a', 'A', 'מס-1'], ['B', 'a', 'A', 'מס-1']],
  ['serials', ['😀'.repeat(100)], ['😀'.repeat(100)]],
  ['serials', ['x'.repeat(101)], REFUSED],
  ['serials', ['A', 5], REFUSED],
  ['serials', [null], REFUSED],
  ['serials', 'A', REFUSED],
  ['serials', '', REFUSED],
  ['serials', {}, REFUSED],
  ['serials', Array.from({ length: 5_001 }, (_, n) => `${n}`), REFUSED],
];

describe('a field of a new product', () => {
  const cases: Case[] = [
    ...VALUES,
    ['name', LEFT_OUT, REFUSED],
    ['name', null, REFUSED],
    ['name', '', REFUSED],
    ['sku', LEFT_OUT, REFUSED],
    ['sku', null, REFUSED],
    ['sku', '', REFUSED],
    ['manufacturerSku', LEFT_OUT, null],
    ['manufacturerSku', null, null],
    ['manufacturerSku', '', null],
    ['unit', LEFT_OUT, null],
    ['unit', null, null],
    ['unit', '', null],
    ['buyingPrice', LEFT_OUT, null],
    ['buyingPrice', null, null],
    ['sellingPrice', LEFT_OUT, null],
    ['sellingPrice', null, null],
    ['isActive', LEFT_OUT, true],
    ['isActive', null, true],
    ['serials', LEFT_OUT, []],
    ['serials', null, []],
  ];

  it.each(cases.map(named))('$field: $shown', async ({ field, sent, reads }) => {
    const { [field]: _, ...rest } = LEAST as Record<string, unknown>;
    const body = sent === LEFT_OUT ? rest : { ...rest, [field]: sent };
    if (reads === REFUSED) {
      return expectError(await send('POST', '/products/create', body), refusal(field));
    }
    const { productId } = await answered<{ productId: number }>(201, 'POST', '/products/create', body);
    expect(await valueOf(productId, field)).toEqual(reads);
  });

  it.each([
    [['A', 'B', 'A'], 'serials[2]'],
    [['A', ''], 'serials[1]'],
    [['A', ' \t '], 'serials[1]'],
  ])('serials that are %j name %s', async (serials, field) => {
    const answer = await send('POST', '/products/create', { ...LEAST, serials });
    expectError(answer, refusal(field));
    const { visibleId } = await create({ serials: ['Z'] });
    expectError(await send('PUT', `/products/edit/${visibleId}`, { serials }), refusal(field));
    expect(await serialNumbersOf(visibleId)).toEqual(['Z']);
  });
});

describe('a field of a product that is changed', () => {
  const whole = {
    name: 'Before',
    sku: 'BEFORE',
    manufacturerSku: 'M-BEFORE',
    unit: 'box',
    buyingPrice: 1.25,
    sellingPrice: 2.5,
    isActive: false,
    serials: ['X', 'Y'],
  };
  const cases: Case[] = [
    ...VALUES,
    ...Object.entries(whole).map(([field, value]): Case => [field, LEFT_OUT, value]),
    ...['name', 'sku'].flatMap((field): Case[] => [
      [field, null, REFUSED],
      [field, '', REFUSED],
    ]),
    ...['manufacturerSku', 'unit'].flatMap((field): Case[] => [
      [field, null, null],
      [field, '', null],
    ]),
    ['buyingPrice', null, null],
    ['sellingPrice', null, null],
    ['isActive', null, REFUSED],
    ['serials', null, REFUSED],
  ];

  it.each(cases.map(named))('$field: $shown', async ({ field, sent, reads }) => {
    const { productId, visibleId } = await create(whole);
    const before = await read<Product>(`/products/id/${productId}`);
    const answer = await send(
      'PUT',
      `/products/edit/${visibleId}`,
      sent === LEFT_OUT ? {} : { [field]: sent },
    );
    if (reads === REFUSED) expectError(answer, refusal(field));
    else expect(JSON.parse(answer.text)).toEqual({ success: true, visibleId });

    const after = await read<Product>(`/products/id/${productId}`);
    const changed = reads === REFUSED || field === 'serials' ? {} : { [field]: reads };
    expect(after).toEqual({ ...before, ...changed, updatedAt: after.updatedAt });
    const serials = reads !== REFUSED && field === 'serials' ? reads : whole.serials;
    expect(await serialNumbersOf(productId)).toEqual(serials);
  });

  it('is the only one changed, also by concurrent edits', async () => {
    const { visibleId } = await create(whole);
    const changes = { name: 'After', sku: 'AFTER', unit: null, buyingPrice: 9, isActive: true };
    await Promise.all(Object.entries(changes).map(([field, value]) => edit(visibleId, { [field]: value })));
    const { serials: _, ...expected } = { ...whole, ...changes };
    expect(await read(`/products/id/${visibleId}`)).toMatchObject(expected);
  });
});

function named([field, sent, reads]: Case) {
  const value = sent === LEFT_OUT ? 'left out' : JSON.stringify(sent).slice(0, 40);
  return { field, sent, reads, shown: `${value} ${reads === REFUSED ? 'is refused' : 'is taken'}` };
}

async function valueOf(productId: number, field: string): Promise<unknown> {
  if (field === 'serials') return serialNumbersOf(productId);
  return (await read<Record<string, unknown>>(`/products/id/${productId}`))[field];
}

describe('a product', () => {
  it('is returned with its ids, and is the same by either', async () => {
    const made = await create();
    expect(made).toEqual({
      success: true,
      productId: expect.any(Number),
      visibleId: expect.stringMatching(UUID),
    });
    const { productId: id, visibleId } = made;
    const product = await read<Product>(`/products/id/${id}`);
    expect(product).toEqual({
      id,
      visibleId,
      companyId: demoCompanyId,
      ...LEAST,
      ...DEFAULTS,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: product.createdAt,
    });
    expect(await read(`/products/id/${visibleId}`)).toEqual(product);
    expect(await read(`/products/id/${visibleId.toUpperCase()}`)).toEqual(product);
    expect(await edit(visibleId.toUpperCase(), {})).toEqual({ success: true, visibleId });
    const { data } = await read<List>('/products?sortOrder=desc&limit=1');
    expect(data).toEqual([{ ...product, updatedAt: data[0]!.updatedAt }]);
  });

  it('may have the SKU of another product', async () => {
    const [first, second] = [await create(), await create()];
    expect(first.productId).not.toBe(second.productId);
  });

  it('of another company is unknown, and cannot be changed', async () => {
    const stranger = await newCompany();
    const { productId, visibleId } = await create({ serials: ['A'] });
    const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
    for (const id of [productId, visibleId]) {
      expectError(await send('GET', `/products/id/${id}`, undefined, stranger), notFound);
      expectError(await send('GET', `/products/id/${id}/serials`, undefined, stranger), notFound);
    }
    const changes = { name: 'Theirs', serials: [] };
    expectError(await send('PUT', `/products/edit/${visibleId}`, changes, stranger), notFound);
    expect(await read(`/products/id/${productId}`)).toMatchObject(LEAST);
    expect(await serialNumbersOf(productId)).toEqual(['A']);
    expect((await read<List>('/products', stranger)).totalCount).toBe(0);
  });
});

describe('the serial numbers of a product', () => {
  it('are a whole set by id for any window', async () => {
    const serials = Array.from({ length: 250 }, (_, n) => `S-${n}`);
    const { productId, visibleId } = await create({ serials });
    const list = await read<Serials>(`/products/id/${productId}/serials`);
    expect(list.data).toEqual(
      serials.map((serialNumber, place) => ({
        id: list.data[place]!.id,
        productId,
        serialNumber,
        createdAt: expect.stringMatching(TIMESTAMP),
      })),
    );
    const ids = list.data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const whole = {
      total: 250,
      limit: 250,
      offset: 0,
      hasMore: false,
      page: 1,
      pageSize: 250,
      totalPages: 1,
    };
    expect(list.pagination).toEqual(whole);
    for (const query of ['limit=1', 'offset=200', 'page=3&pageSize=7', 'limit=abc']) {
      expect(await read(`/products/id/${visibleId}/serials?${query}`)).toEqual(list);
    }
  });

  it('are an empty set when there are none', async () => {
    const { productId } = await create();
    expect(await read(`/products/id/${productId}/serials`)).toEqual({
      data: [],
      pagination: { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 },
    });
  });

  it('that stay keep their ids when the set is replaced', async () => {
    const { productId, visibleId } = await create({ serials: ['A', 'B', 'C'] });
    const before = (await read<Serials>(`/products/id/${productId}/serials`)).data;
    await edit(visibleId, { serials: ['D', 'C', 'A'] });
    const after = (await read<Serials>(`/products/id/${productId}/serials`)).data;
    expect(after.slice(0, 2)).toEqual([before[0], before[2]]);
    expect(after.map(({ serialNumber }) => serialNumber)).toEqual(['A', 'C', 'D']);
    await edit(visibleId, { serials: [] });
    expect(await serialNumbersOf(productId)).toEqual([]);
  });

  it('may be five thousand', async () => {
    const serials = Array.from({ length: 5_000 }, (_, n) => `S-${n}`);
    const { productId, visibleId } = await create({ serials });
    await edit(visibleId, { serials: [...serials.slice(1), 'last'] });
    expect(await serialNumbersOf(productId)).toEqual([...serials.slice(1), 'last']);
  });
});

describe('the list', () => {
  let key: string;
  const list = (query = '') => read<List>(`/products?${query}`, key);
  const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name);

  beforeAll(async () => {
    key = await newCompany();
    const rows = [
      { name: 'Copier paper', sku: 'b-2', manufacturerSku: 'XRX-80' },
      { name: 'נייר צילום', sku: 'C-3', isActive: false },
      { name: '100% cotton', sku: 'A_1' },
      { name: '100 cotton', sku: 'Ax1' },
      { name: 'copier PAPER', sku: 'B-2', isActive: false, manufacturerSku: 'a\\b' },
    ];
    for (const row of rows) await create(row, key);
    await create({ name: 'Copier paper of the demo company' });
  });

  it('has its legacy keys beside the common ones', async () => {
    const all = await list();
    expect(Object.keys(all).sort()).toEqual(['data', 'pagination', 'products', 'totalCount']);
    expect(all.products).toEqual(all.data);
    expect(all.totalCount).toBe(5);
    const window = { limit: 50, offset: 0, hasMore: false, page: 1, pageSize: 50, totalPages: 1 };
    expect(all.pagination).toEqual({ total: 5, ...window });
    const paged = await list('limit=2&page=2&search=co');
    expect(paged.products).toEqual(paged.data);
    expect(paged.totalCount).toBe(4);
  });

  it.each([
    ['', ['Copier paper', 'נייר צילום', '100% cotton', '100 cotton', 'copier PAPER']],
    ['search=', ['Copier paper', 'נייר צילום', '100% cotton', '100 cotton', 'copier PAPER']],
    ['search=PAPER', ['Copier paper', 'copier PAPER']],
    ['search=pe', ['Copier paper', 'copier PAPER']],
    ['search=%20paper%20', ['Copier paper', 'copier PAPER']],
    ['search=xrx', ['Copier paper']],
    ['search=c-3', ['נייר צילום']],
    [`search=${encodeURIComponent('צילום')}`, ['נייר צילום']],
    [`search=${encodeURIComponent('יי')}`, ['נייר צילום']],
    ['search=100%25', ['100% cotton']],
    ['search=%25', ['100% cotton']],
    ['search=_', ['100% cotton']],
    ['search=a_1', ['100% cotton']],
    ['search=a%5Cb', ['copier PAPER']],
    ['search=%5C', ['copier PAPER']],
    ['search=nothing', []],
    ['isActive=true', ['Copier paper', '100% cotton', '100 cotton']],
    ['isActive=false', ['נייר צילום', 'copier PAPER']],
    ['isActive=false&search=paper', ['copier PAPER']],
    ['isActive=true&search=pa&sortOrder=desc', ['Copier paper']],
    ['sortBy=name', ['100 cotton', '100% cotton', 'Copier paper', 'copier PAPER', 'נייר צילום']],
    ['sortBy=sku', ['100% cotton', '100 cotton', 'Copier paper', 'copier PAPER', 'נייר צילום']],
    [
      'sortBy=sku&sortOrder=desc',
      ['נייר צילום', 'copier PAPER', 'Copier paper', '100 cotton', '100% cotton'],
    ],
    ['sortOrder=desc', ['copier PAPER', '100 cotton', '100% cotton', 'נייר צילום', 'Copier paper']],
    [
      'sortBy=price&sortOrder=up',
      ['Copier paper', 'נייר צילום', '100% cotton', '100 cotton', 'copier PAPER'],
    ],
    ['sortBy=id&sortOrder=DESC', ['Copier paper', 'נייר צילום', '100% cotton', '100 cotton', 'copier PAPER']],
    ['sortBy=name&search=paper&sortOrder=desc', ['copier PAPER', 'Copier paper']],
  ])('of ?%s is %j', async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
    expect((await list(query)).totalCount).toBe(expected.length);
  });

  const orders = ['id', 'name', 'sku'].flatMap((by) =>
    ['asc', 'desc'].map((order) => `sortBy=${by}&sortOrder=${order}`),
  );

  it.each(orders)('returns each product once in pages of ?%s', async (order) => {
    for (const query of [order, `${order}&search=co`]) {
      const whole = await list(query);
      const paged: Product[] = [];
      for (let page = 1; page <= 4; page += 1) {
        const { data, pagination } = await list(`${query}&pageSize=2&page=${page}`);
        expect(pagination).toMatchObject({ total: whole.totalCount, page, pageSize: 2 });
        paged.push(...data);
      }
      expect(paged).toEqual(whole.data);
    }
  });
});

describe('a product of a document item', () => {
  async function anItemOf(key: string, productId: unknown): Promise<object> {
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const { clientId } = await answered<{ clientId: number }>(201, 'POST', '/clients/create', client, key);
    const item = { description: 'Work', quantity: 1, unitPrice: 10 };
    return { entityId: clientId, items: [item, { ...item, productId }] };
  }

  it('must belong to the company, active or not, and can be read back', async () => {
    for (const isActive of [true, false]) {
      const { productId } = await create({ isActive });
      const body = await anItemOf(DEMO_KEY, productId);
      const issued = await answered<{ id: number }>(201, 'POST', '/documents/create/quote', body);
      const { items } = await read<{ items: object[] }>(`/documents/${issued.id}`);
      expect(items).toMatchObject([{ productId: null }, { productId }]);
      const previewed = await answered(200, 'POST', '/documents/preview', { ...body, type: 'QUOTE' });
      expect(previewed).toMatchObject({ items: [{ productId: null }, { productId }] });
    }
  });

  it('of another company is an unknown reference, and takes no number', async () => {
    const stranger = await newCompany();
    const { productId } = await create();
    const body = await anItemOf(stranger, productId);
    const unknown = { status: 400, code: 'UNKNOWN_REFERENCE', field: 'items[1].productId' };
    expectError(await send('POST', '/documents/create/quote', body, stranger), unknown);
    expectError(await send('POST', '/documents/preview', { ...body, type: 'QUOTE' }, stranger), unknown);
    const own = await anItemOf(stranger, (await create({}, stranger)).productId);
    expect(await answered(201, 'POST', '/documents/create/quote', own, stranger)).toMatchObject({
      number: 1,
    });
  });
});
