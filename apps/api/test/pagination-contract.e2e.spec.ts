import { queueStores, startService, type TestService } from '@counterfoil/test-harness';
import { DescribedApi } from './described-api';
import type { OpenApi } from './documented-schemas';
import { closeConnections, exchange } from './http-exchange';
import { WINDOWS } from './windows';

/** More than the maximum page size. */
const LINKS_MAX = 20;
const MANY = 205;
const PAGE_MAX = 200;
const AT_ONCE = 8;
const TAX = { type: 'COMPANY', taxId: '514000000' };
const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };

type Row = Readonly<Record<string, unknown>>;
interface Listed {
  readonly data: readonly Row[];
  readonly pagination: Row;
}

/** The data of the lists. */
interface Books {
  readonly productIds: readonly number[];
  /** A product with serial numbers. */
  readonly productId: number;
  readonly vendorId: number;
  readonly vendorVisibleId: string;
  readonly endpointId: string;
  readonly documentId: number;
}

let service: TestService;
let api: DescribedApi;
let description: OpenApi;
/** A company with long lists. */
let key: string;
let emptyKey: string;
let books: Books;
let emptyBooks: Books;

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
  api = await DescribedApi.of(service);
  const { text } = await exchange(service.url, { method: 'GET', path: '/openapi.json' });
  description = JSON.parse(text) as OpenApi;
  [key, emptyKey] = [await aCompany(), await aCompany()];
  books = await keptBooks(key, MANY);
  emptyBooks = await keptBooks(emptyKey, 0);
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function aCompany(): Promise<string> {
  return (await service.createCompany('A company')).ownerKey;
}

/** Runs `work` `count` times, a few at once. Returns the results. */
async function repeated<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** Creates `count` records of everything that is listed below. */
async function keptBooks(owner: string, count: number): Promise<Books> {
  const make = <T>(route: string, body: object) => api.ok<T>(route, { body, key: owner });
  const product = (sku: string, more = {}) =>
    make<{ productId: number }>('POST /products/create', { name: sku, sku, ...more });
  const vendor = await make<{ vendorId: number }>('POST /vendors/create', { name: 'Paper Ltd', ...TAX });
  const { data } = await api.ok<Listed>('GET /vendors', { key: owner });
  const { vendorId } = vendor;
  const vendorVisibleId = String(data[0]!['visibleId']);
  const serials = Array.from({ length: count }, (_, index) => `S-${index}`);
  const { productId } = await product('WITH-SERIALS', { serials });
  const others = await repeated(
    Math.max(count - 1, 0),
    async (index) => (await product(`P-${index}`)).productId,
  );
  const productIds = [productId, ...others];
  const entries = count === 0 ? [] : productIds.map((id) => ({ productId: id, pricingMode: 'default' }));
  const pricelist = `/vendors/id/${vendorVisibleId}/pricelist`;
  await api.ok('PUT /vendors/id/{visibleId}/pricelist', { at: pricelist, body: { entries }, key: owner });
  const { tokenId } = await make<{ tokenId: number }>('POST /gateway/tokens', CARD);
  await repeated(count, (index) => oneOfEach(owner, { entityId: vendorId, tokenId, index }));
  if (count === 0)
    await api.ok('DELETE /gateway/tokens/{id}', { at: `/gateway/tokens/${tokenId}`, key: owner });
  const hook = { url: 'https://127.0.0.1:9/hook', events: ['stock.low'] };
  const { id: endpointId } = await make<{ id: string }>('POST /webhooks', hook);
  const documentId = count === 0 ? 0 : await sharedDocument(owner);
  return { productIds, productId, vendorId, vendorVisibleId, endpointId, documentId };
}

/** Makes as many links to a document as it may have. */
async function sharedDocument(owner: string): Promise<number> {
  const { data } = await api.ok<Listed>('GET /documents', { key: owner });
  const id = Number(data[0]!['id']);
  const link = { at: `/documents/id/${id}/share`, body: {}, key: owner };
  await repeated(LINKS_MAX, () => api.ok('POST /documents/id/{id}/share', link));
  return id;
}

const CARD = { provider: 'sandbox', providerToken: 'tok_approved' };
const FAR = '2090-01-31';

async function oneOfEach(
  owner: string,
  { entityId, tokenId, index }: { entityId: number; tokenId: number; index: number },
): Promise<void> {
  const make = (route: string, body: object) => api.ok(route, { body, key: owner });
  const purchase = { documentNumber: `D-${index}`, date: '2026-11-20', currency: 'ILS', total: 118, tax: 18 };
  await make('POST /purchase/create', { ...purchase, vendorId: entityId });
  const document = { at: '/documents/create/quote', body: { entityId, items: [ITEM] }, key: owner };
  await api.ok('POST /documents/create/{type}', document);
  await make('POST /warehouses/create', { name: `W-${index}` });
  await make('POST /custom-fields', { name: `F-${index}`, appliesTo: 'vendor', fieldType: 'text' });
  await make('POST /document-execution-statuses', { name: `E-${index}` });
  await make('POST /reports/documents/saved', { name: `R-${index}`, filters: { status: 'OPEN' } });
  await service.upload(`receipt ${index}`, owner);
  const retainer = { entityId, items: [ITEM], interval: 'MONTHLY', nextRunDate: FAR };
  await make('POST /retainers/create', { ...retainer, currency: 'ILS', documentType: 'TAX_INVOICE' });
  if (index > 0) await make('POST /gateway/tokens', CARD);
  await make('POST /gateway/payments/payment-pages', { amount: 1 + index, description: `Order ${index}` });
  const recurring = { tokenId, amount: 1 + index, interval: 'YEARLY', nextRunDate: FAR };
  await make('POST /gateway/recurring-payments', recurring);
}

const idsOf = ({ data }: Listed) => data.map(({ id }) => id);
const descriptionOf = (path: string) => {
  const { get: operation } = description.paths[path] ?? {};
  return (operation as { description?: string } | undefined)?.description ?? '';
};

/** A list: its path in the description, and its actual path. */
interface List {
  readonly path: string;
  readonly at: (of: Books) => string;
  /** The number of rows in the long list; `MANY` by default. */
  readonly total?: number;
}

const here = (path: string): List => ({ path, at: () => path });
const get = async (list: List, query = '', of = books, owner = key): Promise<Listed> => {
  const at = list.at(of);
  return api.ok(`GET ${list.path}`, { at: `${at}${at.includes('?') ? '&' : '?'}${query}`, key: owner });
};
const named = (lists: readonly List[]) => lists.map((list) => [`GET ${list.path}`, list] as const);

describe('contract §2.5: legacy keys beside the common ones', () => {
  it('GET /products: products and totalCount', async () => {
    const body = await get(here('/products'), 'limit=3&page=2');
    expect(Object.keys(body).sort()).toEqual(['data', 'pagination', 'products', 'totalCount']);
    expect(body.data).toHaveLength(3);
    expect(body).toMatchObject({
      products: body.data,
      totalCount: MANY,
      pagination: { total: MANY, page: 2 },
    });
  });

  it('GET /documents: documents, total, page and pageSize', async () => {
    const body = await get(here('/documents'), 'limit=3&page=2');
    const keys = ['data', 'documents', 'page', 'pageSize', 'pagination', 'total'];
    expect(Object.keys(body).sort()).toEqual(keys);
    expect(body.data).toHaveLength(3);
    const legacy = { documents: body.data, total: MANY, page: 2, pageSize: 3 };
    expect(body).toMatchObject({ ...legacy, pagination: { total: MANY, page: 2, pageSize: 3 } });
  });
});

/** The lists of contract §2.6, except the pricelist, which has no window at all. */
const WHOLE_SETS: readonly List[] = [
  here('/purchase'),
  here('/retainers'),
  here('/files'),
  here('/warehouses'),
  { path: '/products/id/{id}/serials', at: ({ productId }) => `/products/id/${productId}/serials` },
  here('/custom-fields'),
  here('/gateway/tokens'),
  { ...here('/gateway/providers'), total: 1 },
  {
    path: '/documents/id/{id}/shares',
    at: ({ documentId }) => `/documents/id/${documentId}/shares`,
    total: LINKS_MAX,
  },
  here('/document-execution-statuses'),
  here('/reports/documents/saved'),
];

describe.each(named(WHOLE_SETS))('contract §2.6: %s', (_, list) => {
  const total = list.total ?? MANY;
  const window = { total, limit: total, offset: 0, hasMore: false, page: 1, pageSize: total, totalPages: 1 };

  it('returns the whole set, and ignores limit, offset and page: page 2 is page 1 again', async () => {
    const whole = await get(list);
    expect(whole.data).toHaveLength(total);
    expect(new Set(whole.data.map((row) => JSON.stringify(row))).size).toBe(total);
    expect(whole.pagination).toEqual(window);
    const ids = idsOf(whole);
    for (const [query] of [...WINDOWS, ['page=2'], ['limit=1&page=2'], ['offset=1'], ['pageSize=0']]) {
      const answer = await get(list, query);
      expect({ query, window: answer.pagination, ids: idsOf(answer) }).toEqual({ query, window, ids });
    }
  });

  it('documents that in the description, so that clients do not page forever', () => {
    expect(descriptionOf(list.path)).toMatch(/whole set .*limit, offset, page and pageSize are ignored/);
  });
});

it.each(named(WHOLE_SETS.filter(({ total }) => total === undefined)))(
  'contract §2.6: %s has an empty window without rows',
  async (_, list) => {
    const nothing = { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 };
    expect(await get(list, 'page=2', emptyBooks, emptyKey)).toEqual({ data: [], pagination: nothing });
  },
);

const PRICELISTS: readonly List[] = [
  {
    path: '/vendors/id/{visibleId}/pricelist',
    at: ({ vendorVisibleId }) => `/vendors/id/${vendorVisibleId}/pricelist`,
  },
  { path: '/vendors/pricelist', at: ({ vendorId }) => `/vendors/pricelist?entityId=${vendorId}` },
];

describe.each(named(PRICELISTS))('contract §2.6: %s', (_, list) => {
  const entriesOf = async (query: string, of = books, owner = key) => {
    const body = (await get(list, query, of, owner)) as unknown as { entries: readonly Row[] };
    expect(Object.keys(body)).toEqual(['entries']);
    return body.entries;
  };

  it('returns the whole pricelist for any window', async () => {
    const whole = await entriesOf('');
    expect(whole.map(({ productId }) => productId).sort()).toEqual([...books.productIds].sort());
    for (const [query] of WINDOWS)
      expect({ query, entries: await entriesOf(query) }).toEqual({ query, entries: whole });
  });

  it('is empty without entries', async () => {
    expect(await entriesOf('page=2', emptyBooks, emptyKey)).toEqual([]);
  });

  it('documents that in the description', () => {
    expect(descriptionOf(list.path)).toMatch(/whole set .*limit, offset, page and pageSize are ignored/);
  });
});

const UNCOUNTED = [here('/gateway/payments/payment-pages'), here('/gateway/recurring-payments')];

describe.each(named(UNCOUNTED))('contract §2.7: %s', (_, list) => {
  it('counts only the rows of the page in pagination.total, from which hasMore is derived', async () => {
    const pages = await Promise.all(
      ['limit=200', 'limit=200&page=2', 'limit=200&page=3', 'limit=7', 'limit=7&offset=203', ''].map(
        (query) => get(list, query),
      ),
    );
    expect(pages.map(({ data }) => data.length)).toEqual([200, 5, 0, 7, 2, 50]);
    const window = { hasMore: false, page: 1, offset: 0, totalPages: 1 };
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { ...window, total: 200, limit: 200, pageSize: 200 },
      { ...window, total: 5, limit: 200, pageSize: 200, page: 2, offset: 200 },
      { ...window, total: 0, limit: 200, pageSize: 200, page: 3, offset: 400, totalPages: 0 },
      { ...window, total: 7, limit: 7, pageSize: 7 },
      { ...window, total: 2, limit: 7, pageSize: 7, page: 30, offset: 203 },
      { ...window, total: 50, limit: 50, pageSize: 50 },
    ]);
  });

  it('is complete for a client that pages until a short page', async () => {
    const ids: unknown[] = [];
    for (let page = 1, received = PAGE_MAX; received === PAGE_MAX; page++) {
      const { data } = await get(list, `pageSize=${PAGE_MAX}&page=${page}`);
      received = data.length;
      ids.push(...data.map(({ id }) => id));
    }
    expect(ids).toHaveLength(MANY);
    expect(new Set(ids).size).toBe(MANY);
  });

  it('documents that in the description', () => {
    expect(descriptionOf(list.path)).toMatch(/counts only the rows of this page/);
  });
});

const COUNTED: readonly List[] = [
  here('/addresses'),
  here('/contacts'),
  here('/clients'),
  here('/vendors'),
  here('/products'),
  here('/inventory'),
  here('/inventory/movements'),
  here('/exchange-rates'),
  here('/expenses'),
  here('/documents'),
  here('/gateway/charges'),
  here('/mails'),
  here('/api-keys'),
  here('/sessions'),
  here('/audit'),
  here('/requests'),
  here('/webhooks'),
  { path: '/webhooks/{id}/deliveries', at: ({ endpointId }) => `/webhooks/${endpointId}/deliveries` },
];

describe.each(named([...COUNTED, ...UNCOUNTED]))('contract §2.1: %s', (_, list) => {
  it.each(WINDOWS)('%s is a window of %d from %d', async (query, limit, offset) => {
    const { data, pagination } = await get(list, query);
    expect(pagination).toMatchObject({
      limit,
      pageSize: limit,
      offset,
      page: Math.floor(offset / limit) + 1,
    });
    expect(data.length).toBeLessThanOrEqual(limit);
  });
});

/** The extensions that say how a list is read. */
interface ListExtensions {
  readonly 'x-list'?: string;
  readonly 'x-list-end'?: string;
}

it('every list of the API follows one of the rules, and says which', () => {
  const kinds = Object.entries(description.paths).flatMap(([path, { get: read }]) => {
    const { 'x-list': kind, 'x-list-end': end = '' } = (read ?? {}) as ListExtensions;
    return kind === undefined
      ? []
      : [[path.replace('/gateway/webhooks', '/webhooks'), `${kind} ${end}`.trim()]];
  });
  const known = [
    ...[...WHOLE_SETS, ...PRICELISTS, here('/webhooks/event-types')].map(({ path }) => [path, 'whole']),
    ...UNCOUNTED.map(({ path }) => [path, 'paged short-page']),
    ...COUNTED.map(({ path }) => [path, 'paged']),
  ];
  expect(Object.fromEntries(kinds)).toEqual(Object.fromEntries(known));
});
