import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { givenProducts, pathOf, type Product } from './pricelist-data';
import { MIB, UNKNOWN_ID, UNKNOWN_UUID } from './wire-values';

interface Entry {
  readonly id: number;
  readonly productId: number;
  readonly buyingPrice: number | null;
  readonly priceTiers: readonly object[] | null;
  readonly [field: string]: unknown;
}

interface Vendor {
  readonly id: number;
  readonly visibleId: string;
}

/** A company with a key, a vendor and products. */
interface Company {
  readonly companyId: number;
  readonly key: string;
  readonly vendor: Vendor;
  readonly products: readonly Product[];
}

let service: TestService;
let ours: Company;
let theirs: Company;

beforeAll(async () => {
  service = await startApiService();
  const [demo] = await service.database.query<{ id: string }>('select id from companies order by id limit 1');
  ours = await furnish(Number(demo!.id), DEMO_KEY);
  const other = await service.createCompany('Other');
  theirs = await furnish(other.companyId, other.ownerKey);
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

async function furnish(companyId: number, key: string): Promise<Company> {
  const products = await givenProducts(service.database, companyId, 5);
  return { companyId, key, vendor: await givenVendor(key), products };
}

async function givenVendor(key: string, role: 'vendor' | 'client' = 'vendor'): Promise<Vendor> {
  const body = { name: 'Paper Ltd', taxId: '1', type: 'COMPANY' };
  const { status, text } = await send('POST', `/${role}s/create`, body, key);
  expect({ status, text }).toMatchObject({ status: 201 });
  const made = JSON.parse(text) as { vendorId?: number; clientId?: number; visibleId: string };
  return { id: (made.vendorId ?? made.clientId)!, visibleId: made.visibleId };
}

function send(method: string, path: string, body?: unknown, key = DEMO_KEY): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}` },
    body: body === undefined ? undefined : text,
  });
}

async function sendOk<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body);
  expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: 200 });
  return JSON.parse(answer.text) as T;
}

const put = (entries: unknown, vendor = ours.vendor) =>
  sendOk<{ success: boolean; entries: number }>('PUT', pathOf(vendor), { entries });
const read = async (vendor = ours.vendor) =>
  (await sendOk<{ entries: Entry[] }>('GET', pathOf(vendor))).entries;

/** Returns an entry for one of our products, by its index. */
const entry = (place: number, changes: object = {}) => ({
  productId: ours.products[place]!.id,
  pricingMode: 'default',
  ...changes,
});
const fixedTier = (from: number, to: number, price = 1) => ({ from, to, tierType: 'fixed', price });
const tiered = (place: number, ...priceTiers: object[]) => entry(place, { pricingMode: 'tiers', priceTiers });

/** Writes one entry and reads it back. */
async function readBack(sent: object): Promise<Entry> {
  expect(await put([sent])).toEqual({ success: true, entries: 1 });
  const [found] = await read();
  return found!;
}

/** Asserts that the entries are refused with this problem, and that the list is unchanged. */
async function expectRefused(entries: unknown, field: string, error: RegExp): Promise<void> {
  const before = await read();
  const answer = await send('PUT', pathOf(ours.vendor), { entries });
  expectError(answer, { status: 400, code: 'INVALID_PRICELIST', field });
  expect((JSON.parse(answer.text) as { error: string }).error).toMatch(error);
  expect(await read()).toEqual(before);
}

describe('GET /vendors/id/:visibleId/pricelist', () => {
  beforeEach(() => put([]));

  it('has exactly the fields of the table Pricelist entry', async () => {
    const { id, visibleId } = ours.products[1]!;
    expect(await readBack(entry(1))).toStrictEqual({
      id: expect.any(Number),
      productId: id,
      productVisibleId: visibleId,
      productName: 'נייר 2',
      productSku: 'SKU-2',
      productManufacturerSku: null,
      productUnit: null,
      productBuyingPrice: null,
      vendorSku: null,
      pricingMode: 'default',
      buyingPrice: null,
      priceTiers: null,
      tiersMode: null,
      quantityStep: null,
      quantityStepPrice: null,
    });
  });

  it('Pricelist entry · id: stays while its product stays', async () => {
    const { id } = await readBack(entry(0));
    expect(Number.isSafeInteger(id)).toBe(true);
    await put([entry(1), entry(0, { pricingMode: 'fixed', buyingPrice: 1 })]);
    expect((await read())[1]!.id).toBe(id);
  });

  it('Pricelist entry · productId, productVisibleId: those of the product', async () => {
    const { id, visibleId } = ours.products[0]!;
    expect(await readBack(entry(0))).toMatchObject({ productId: id, productVisibleId: visibleId });
  });

  it.each([
    ['productName', 'נייר 1'],
    ['productSku', 'SKU-1'],
    ['productManufacturerSku', 'M-1'],
    ['productUnit', 'box'],
    ['productBuyingPrice', 12.3456],
  ])("Pricelist entry · %s: is the product's", async (field, value) => {
    expect((await readBack(entry(0)))[field]).toBe(value);
  });

  const two = [fixedTier(1, 10, 5), { from: 11, to: 20, tierType: 'percent', discountPercent: 7.5 }];

  it.each<[string, object, unknown]>([
    ['vendorSku', { vendorSku: 'V/1 א' }, 'V/1 א'],
    ['pricingMode', { pricingMode: 'default' }, 'default'],
    ['pricingMode', { pricingMode: 'fixed', buyingPrice: 1 }, 'fixed'],
    ['pricingMode', { pricingMode: 'tiers', priceTiers: two }, 'tiers'],
    ['buyingPrice', { pricingMode: 'fixed', buyingPrice: 0.0001 }, 0.0001],
    ['buyingPrice', { pricingMode: 'fixed', buyingPrice: 9_999_999_999.9999 }, 9_999_999_999.9999],
    ['buyingPrice', { pricingMode: 'tiers', priceTiers: two, buyingPrice: 3 }, 3],
    ['priceTiers', { pricingMode: 'tiers', priceTiers: two }, two],
    ['priceTiers', { pricingMode: 'tiers', priceTiers: [...two].reverse() }, [...two].reverse()],
    ['priceTiers', { pricingMode: 'default', priceTiers: two }, two],
    ['tiersMode', { pricingMode: 'tiers', priceTiers: two }, 'range'],
    [
      'tiersMode',
      { pricingMode: 'tiers', tiersMode: 'quantity', quantityStep: 1, quantityStepPrice: 1 },
      'quantity',
    ],
    ['tiersMode', { pricingMode: 'default' }, null],
    ['quantityStep', { pricingMode: 'default', quantityStep: 12.5 }, 12.5],
    ['quantityStepPrice', { pricingMode: 'default', quantityStepPrice: 0 }, 0],
  ])('Pricelist entry · %s: is the sent value, %j', async (field, sent, value) => {
    expect((await readBack(entry(2, sent)))[field]).toStrictEqual(value);
  });

  it.each([
    ['from, to, tierType, price', fixedTier(0, 9.9999, 2.5)],
    ['discountPercent', { from: 1, to: 1, tierType: 'percent', discountPercent: 33.3333 }],
    ['discountAmount', { from: 1, to: 2, tierType: 'amount', discountAmount: 0.01 }],
  ])('Price tier · %s: are the sent values', async (_, tier) => {
    expect((await readBack(tiered(0, tier))).priceTiers).toStrictEqual([tier]);
  });

  it('Price tier · fields of other types are not kept', async () => {
    const sent = { ...fixedTier(1, 2), discountPercent: 5, discountAmount: null, note: 'x' };
    expect((await readBack(tiered(0, sent))).priceTiers).toStrictEqual([fixedTier(1, 2)]);
  });

  it('lists only active products, and inactive ones again after activation', async () => {
    await put([entry(0), entry(1), entry(2)]);
    const all = await read();
    const setActive = (isActive: boolean) =>
      sendOk('PUT', `/products/edit/${ours.products[1]!.visibleId}`, { isActive });
    await setActive(false);
    expect(await read()).toEqual([all[0], all[2]]);
    const byId = await sendOk('GET', `/vendors/pricelist?entityId=${ours.vendor.id}`);
    expect(byId).toEqual({ entries: [all[0], all[2]] });
    await setActive(true);
    expect(await read()).toEqual(all);
  });

  it('is not paginated, and is the same by entityId', async () => {
    const products = await givenProducts(service.database, ours.companyId, 205);
    await put(products.map(({ id }) => ({ productId: id, pricingMode: 'default' })));
    const entries = await read();
    expect(entries.map(({ productId }) => productId)).toEqual(products.map(({ id }) => id));
    for (const path of [
      `${pathOf(ours.vendor)}?limit=5&offset=7&page=2`,
      `/vendors/pricelist?entityId=${ours.vendor.id}&limit=5`,
    ]) {
      expect(await sendOk('GET', path)).toStrictEqual({ entries });
    }
  });

  it('is empty for a vendor without entries', async () => {
    expect(await read(await givenVendor(ours.key))).toEqual([]);
  });
});

describe('PUT /vendors/id/:visibleId/pricelist', () => {
  it('replaces the list: drops missing entries, and an empty list clears all', async () => {
    expect(await put([entry(0), entry(1), entry(2)])).toStrictEqual({ success: true, entries: 3 });
    expect(await put([entry(3), entry(1)])).toStrictEqual({ success: true, entries: 2 });
    const ids = [ours.products[3]!.id, ours.products[1]!.id];
    expect((await read()).map(({ productId }) => productId)).toEqual(ids);
    expect(await put([])).toStrictEqual({ success: true, entries: 0 });
    expect(await read()).toEqual([]);
  });

  it('accepts the list as it was read, without changing ids and values', async () => {
    await put([
      entry(0, { vendorSku: 'V', pricingMode: 'fixed', buyingPrice: 0.3 }),
      tiered(1, fixedTier(5, 6), { from: 1, to: 2, tierType: 'amount', discountAmount: 1 }),
      entry(2, { pricingMode: 'tiers', tiersMode: 'quantity', quantityStep: 6, quantityStepPrice: 9.99 }),
      entry(3),
    ]);
    const before = await read();
    expect(await put(before)).toEqual({ success: true, entries: 4 });
    expect(await read()).toStrictEqual(before);
  });

  it.each<[field: string, changes: object, error: RegExp]>([
    ['productId', { productId: null }, /^entries\[1\]: productId is required/],
    ['productId', { productId: '1' }, /^entries\[1\]: productId must be a numeric id/],
    [
      'productId',
      { productId: UNKNOWN_ID },
      /\(product 999999999\): productId refers to no product of this company/,
    ],
    ['pricingMode', { pricingMode: null }, /pricingMode is required/],
    ['pricingMode', { pricingMode: 'free' }, /must be one of default, fixed, tiers/],
    ['vendorSku', { vendorSku: 5 }, /vendorSku must be text/],
    ['vendorSku', { vendorSku: 'x'.repeat(101) }, /at most 100 characters/],
    ['buyingPrice', { pricingMode: 'fixed' }, /required when pricingMode is fixed/],
    ['buyingPrice', { buyingPrice: -1 }, /must not be negative/],
    ['buyingPrice', { buyingPrice: 0.00001 }, /at most 4 decimals/],
    ['priceTiers', { pricingMode: 'tiers' }, /required when pricingMode is tiers/],
    ['priceTiers', { pricingMode: 'tiers', priceTiers: [] }, /must not be empty/],
    ['priceTiers', { priceTiers: {} }, /must be a list/],
    ['tiersMode', { tiersMode: 'bands' }, /must be one of range, quantity/],
    [
      'quantityStep',
      { pricingMode: 'tiers', tiersMode: 'quantity', quantityStepPrice: 1 },
      /required when tiersMode is quantity/,
    ],
    ['quantityStep', { quantityStep: 0 }, /must be greater than zero/],
    [
      'quantityStepPrice',
      { pricingMode: 'tiers', tiersMode: 'quantity', quantityStep: 1 },
      /required when tiersMode is quantity/,
    ],
    ['quantityStepPrice', { quantityStepPrice: '1' }, /must be a number/],
  ])('entry · %s: is refused as %j', async (field, changes, error) => {
    await put([entry(4)]);
    await expectRefused([entry(4), entry(0, changes)], `entries[1].${field}`, error);
  });

  it('entry · productId: is refused twice, naming both entries', async () => {
    await put([entry(4)]);
    const error = /^entries\[2\] \(product \d+\): productId repeats the one of entries\[0\]$/;
    await expectRefused([entry(1), entry(2), entry(1)], 'entries[2].productId', error);
  });

  it('entry · productId: a product of another company is unknown', async () => {
    await put([entry(4)]);
    const productId = theirs.products[0]!.id;
    const error = /^entries\[0\] \(product \d+\): productId refers to no product of this company$/;
    await expectRefused([entry(0, { productId })], 'entries[0].productId', error);
  });

  it('entry · priceTiers: are refused if two overlap, naming the pair', async () => {
    await put([entry(4)]);
    const error =
      /^entries\[0\] \(product \d+\): priceTiers\[0\] \(10 to 20\) and priceTiers\[1\] \(1 to 10\) overlap/;
    const sent = tiered(0, fixedTier(10, 20), fixedTier(1, 10));
    await expectRefused([sent], 'entries[0].priceTiers[1]', error);
  });

  it.each<[field: string, tier: object, at: string, error: RegExp]>([
    ['from', { to: 1, tierType: 'fixed', price: 1 }, '.from', /from is required/],
    ['from', fixedTier(-1, 5), '.from', /from must not be negative/],
    ['from', fixedTier(6, 5), '', /from \(6\) must not be above to \(5\)/],
    ['to', { from: 1, tierType: 'fixed', price: 1 }, '.to', /to is required: a tier needs an upper bound/],
    ['to', fixedTier(1, 9.99999), '.to', /at most 4 decimals/],
    ['tierType', { from: 1, to: 2, price: 1 }, '.tierType', /tierType is required/],
    ['tierType', { from: 1, to: 2, tierType: 'free' }, '.tierType', /one of fixed, percent, amount/],
    ['price', { from: 1, to: 2, tierType: 'fixed' }, '.price', /required when tierType is fixed/],
    ['price', fixedTier(1, 2, -1), '.price', /must not be negative/],
    ['discountPercent', { from: 1, to: 2, tierType: 'percent' }, '.discountPercent', /required when/],
    [
      'discountPercent',
      { from: 1, to: 2, tierType: 'percent', discountPercent: 100.5 },
      '.discountPercent',
      /must be at most 100/,
    ],
    ['discountAmount', { from: 1, to: 2, tierType: 'amount', price: 5 }, '.discountAmount', /required when/],
    [
      'discountAmount',
      { from: 1, to: 2, tierType: 'amount', discountAmount: -0.01 },
      '.discountAmount',
      /must not be negative/,
    ],
  ])('Price tier · %s: %j is refused', async (_, tier, at, error) => {
    await put([entry(4)]);
    await expectRefused([tiered(0, fixedTier(50, 60), tier)], `entries[0].priceTiers[1]${at}`, error);
  });

  it.each([
    ['1e309', '{"productId":1,"pricingMode":"fixed","buyingPrice":1e309}', 'entries[0].buyingPrice'],
    ['a list', '[]', 'entries[0]'],
    ['a number', '5', 'entries[0]'],
    ['null', 'null', 'entries[0]'],
  ])('refuses %s inside the entries as INVALID_PRICELIST', async (_, json, field) => {
    const answer = await send('PUT', pathOf(ours.vendor), `{"entries":[${json}]}`);
    expectError(answer, { status: 400, code: 'INVALID_PRICELIST', field });
  });

  it.each([
    ['left out', '{}', 'is required'],
    ['left out with the body', '', 'is required'],
    ['null', '{"entries":null}', 'is required'],
    ['an object', '{"entries":{}}', 'must be a list'],
    ['an object that looks like a list', '{"entries":{"length":0}}', 'must be a list'],
    ['text', '{"entries":"[]"}', 'must be a list'],
    ['a number', '{"entries":0}', 'must be a list'],
    ['10,001 long', `{"entries":[${'0,'.repeat(10_000)}0]}`, 'must have at most 10000 entries'],
  ])('body · entries: is VALIDATION_FAILED when it is %s', async (_, body, problem) => {
    await put([entry(4)]);
    const answer = await send('PUT', pathOf(ours.vendor), body);
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'entries' });
    expect(JSON.parse(answer.text)).toMatchObject({ details: [{ field: 'entries', problem }] });
    expect(await read()).toHaveLength(1);
  });

  it('accepts bodies of 5 MiB and 600,000 values, and reports larger ones', async () => {
    const padded = (bytes: number) => '{"entries":[]}'.padEnd(bytes);
    expect((await send('PUT', pathOf(ours.vendor), padded(5 * MIB))).status).toBe(200);
    const larger = await send('PUT', pathOf(ours.vendor), padded(5 * MIB + 1));
    expectError(larger, { status: 413, code: 'PAYLOAD_TOO_LARGE' });
    expect(JSON.parse(larger.text)).toMatchObject({ error: 'the body is larger than 5 MiB' });
    const more = await send('PUT', pathOf(ours.vendor), `{"other":[${'0,'.repeat(600_000)}0]}`);
    expectError(more, { status: 400, code: 'VALIDATION_FAILED' });
    expect(JSON.parse(more.text)).toMatchObject({ error: 'the body holds more than 600000 values' });
    const elsewhere = await send('PUT', '/company', padded(MIB + 1));
    expect(JSON.parse(elsewhere.text)).toMatchObject({ error: 'the body is larger than 1 MiB' });
  });

  it('keeps one whole list with concurrent writers, and every read returns one of them', async () => {
    const products = await givenProducts(service.database, ours.companyId, 25);
    const list = (first: number, size: number, price: number) =>
      products.slice(first, first + size).map(({ id }, index) => ({
        productId: id,
        pricingMode: 'fixed',
        buyingPrice: price + index,
      }));
    const lists = [list(0, 7, 100), list(2, 23, 200)];
    const pricesOf = (entries: readonly { readonly buyingPrice: unknown }[]) =>
      entries.map(({ buyingPrice }) => buyingPrice).join();
    const whole = lists.map(pricesOf);
    await put(lists[0]);
    let writing = 2;
    const write = async (entries: readonly object[]) => {
      const body = JSON.stringify({ entries });
      const expected = JSON.stringify({ success: true, entries: entries.length });
      for (let round = 0; round < 1_000; round++) {
        const { text } = await send('PUT', pathOf(ours.vendor), body);
        if (text !== expected) throw new Error(`${text} in place of ${expected}`);
      }
      writing--;
    };
    const seen = new Map<string, number>();
    const look = async () => {
      while (writing > 0) {
        const { text } = await send('GET', pathOf(ours.vendor));
        const prices = pricesOf((JSON.parse(text) as { entries: Entry[] }).entries);
        seen.set(prices, (seen.get(prices) ?? 0) + 1);
      }
    };
    await Promise.all([...lists.map(write), look(), look()]);
    expect([...seen.keys()].sort()).toEqual([...whole].sort());
    expect(whole).toContain(pricesOf(await read()));
  });
});

describe('GET /vendors/id/:visibleId/pricelist/quote', () => {
  const quote = (place: number, quantity: number | string) =>
    sendOk('GET', `${pathOf(ours.vendor)}/quote?productId=${ours.products[place]!.id}&quantity=${quantity}`);

  beforeAll(() =>
    put([
      entry(0),
      entry(1, { pricingMode: 'fixed', buyingPrice: 2.5 }),
      tiered(2, fixedTier(1, 9, 4), fixedTier(10, 19.5, 9), {
        from: 30,
        to: 40,
        tierType: 'percent',
        discountPercent: 5,
      }),
      entry(3, { pricingMode: 'tiers', tiersMode: 'quantity', quantityStep: 3, quantityStepPrice: 10 }),
    ]),
  );

  it.each<[place: number, quantity: number, unitPrice: number | null, total: number | null, source: string]>([
    [0, 3, 12.3456, 37.04, 'PRODUCT'],
    [1, 0.5, 2.5, 1.25, 'FIXED'],
    [2, 9, 4, 36, 'TIER'],
    [2, 10, 9, 90, 'TIER'],
    [2, 19.5, 9, 175.5, 'TIER'],
    [2, 19.5001, null, null, 'NO_TIER'],
    [2, 30, null, null, 'NO_PRICE'],
    [3, 7, 4.2857, 30, 'QUANTITY_STEP'],
    [4, 1, null, null, 'NOT_LISTED'],
  ])('of product %d, quantity %d: %d, %d, %s', async (place, quantity, ...told) => {
    const [unitPrice, total, source] = told;
    const productId = ours.products[place]!.id;
    expect(await quote(place, quantity)).toStrictEqual({ productId, quantity, unitPrice, total, source });
  });

  it.each([
    ['productId', 'quantity=1'],
    ['productId', 'productId=&quantity=1'],
    ['productId', 'productId=x&quantity=1'],
    ['productId', 'productId=1.5&quantity=1'],
    ['productId', 'productId=1&productId=2&quantity=1'],
    ['quantity', 'productId=1'],
    ['quantity', 'productId=1&quantity='],
    ['quantity', 'productId=1&quantity=0'],
    ['quantity', 'productId=1&quantity=0.0000'],
    ['quantity', 'productId=1&quantity=-1'],
    ['quantity', 'productId=1&quantity=1e3'],
    ['quantity', 'productId=1&quantity=1.00001'],
    ['quantity', 'productId=1&quantity=10000000000.5'],
    ['quantity', 'productId=1&quantity=Infinity'],
    ['quantity', 'productId=1&quantity=1&quantity=1'],
    ['quantity', `productId=1&quantity=${'9'.repeat(400)}`],
  ])('names %s if it is missing or malformed: ?%s', async (field, query) => {
    const answer = await send('GET', `${pathOf(ours.vendor)}/quote?${query}`);
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
  });

  it('refuses a quantity whose price exceeds the maximum', async () => {
    await put([...(await read()), entry(4, { pricingMode: 'fixed', buyingPrice: 9_999_999_999 })]);
    const answer = await send(
      'GET',
      `${pathOf(ours.vendor)}/quote?productId=${ours.products[4]!.id}&quantity=1000`,
    );
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'quantity' });
  });
});

describe('an unknown vendor or product', () => {
  const routes = (visibleId: string): [method: string, path: string, body?: object][] => [
    ['GET', pathOf({ visibleId })],
    ['PUT', pathOf({ visibleId }), { entries: [] }],
    ['GET', `${pathOf({ visibleId })}/quote?productId=${ours.products[0]!.id}&quantity=1`],
  ];
  const notFound = { status: 404, code: 'NOT_FOUND' };

  it('is refused without a key before the body is read', async () => {
    const nested = '['.repeat(4 * 1024 * 1024);
    const answer = await send('PUT', pathOf(ours.vendor), nested, 'sk_live_unknown');
    expectError(answer, { status: 401, code: 'UNAUTHENTICATED' });
    const none = await exchange(service.url, {
      method: 'PUT',
      path: pathOf(ours.vendor),
      headers: { authorization: null },
      body: nested,
    });
    expectError(none, { status: 401, code: 'UNAUTHENTICATED' });
  });

  it("is 404: an unknown vendor, a malformed id, another company's vendor, a client", async () => {
    const their = { entries: [{ productId: theirs.products[0]!.id, pricingMode: 'default' }] };
    expect((await send('PUT', pathOf(theirs.vendor), their, theirs.key)).status).toBe(200);
    const before = await send('GET', pathOf(theirs.vendor), undefined, theirs.key);
    const client = await givenVendor(ours.key, 'client');
    const ids = [UNKNOWN_UUID, 'abc', '1', '%20', theirs.vendor.visibleId, client.visibleId];
    for (const [method, path, body] of ids.flatMap(routes)) {
      expectError(await send(method, path, body), notFound);
    }
    for (const id of [UNKNOWN_ID, theirs.vendor.id, client.id, 0]) {
      expectError(await send('GET', `/vendors/pricelist?entityId=${id}`), notFound);
    }
    const after = await send('GET', pathOf(theirs.vendor), undefined, theirs.key);
    expect(after.text).toBe(before.text);
  });

  it("is 404: a quote of an unknown product, or of another company's", async () => {
    for (const id of [UNKNOWN_ID, theirs.products[0]!.id]) {
      expectError(await send('GET', `${pathOf(ours.vendor)}/quote?productId=${id}&quantity=1`), notFound);
    }
  });

  it.each(['', '?entityId=', '?entityId=abc', '?entityId=1.5', '?entityId=-1', '?entityId=1&entityId=2'])(
    'is 400 when entityId is missing or malformed: %s',
    async (query) => {
      const answer = await send('GET', `/vendors/pricelist${query}`);
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'entityId' });
    },
  );

  it('a vendor is also found by its id in capitals', async () => {
    const { visibleId } = ours.vendor;
    await sendOk('GET', pathOf({ visibleId: visibleId.toUpperCase() }));
  });
});
