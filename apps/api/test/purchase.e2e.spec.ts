import { startApiServiceProcess, type TestService } from '@counterfoil/test-harness';
import { type Body, CostsClient, type Json, LEAST_PURCHASE, type PurchaseRow } from './costs-client';
import { DescribedApi } from './described-api';
import { type ExpectedError, expectError } from './error-body';
import { invalid, invalidState, notFound, unknown } from './expected-errors';
import { type Answer, closeConnections } from './http-exchange';
import { IGNORED_WINDOWS } from './windows';
import { TIMESTAMP, UNKNOWN_ID, UNKNOWN_UUID } from './wire-values';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MOST = 999_999_999_999.99;
const EMPTY = { total: 0, limit: 0, offset: 0, hasMore: false, page: 1, pageSize: 0, totalPages: 0 };
const DATES = [
  '2024-02-29',
  '2025-12-31',
  '2026-01-01',
  '2026-01-31',
  '2026-02-28',
  '2026-03-27',
  '9999-12-31',
];

const bodyIn = <T = Json>({ text }: Answer): T => JSON.parse(text) as T;

let service: TestService;
let ours: CostsClient;
let stranger: CostsClient;
let vendorId: number;

const least = (more: Body = {}): Body => ({ ...LEAST_PURCHASE, vendorId, ...more });
const given = async (more: Body = {}): Promise<PurchaseRow> =>
  ours.readPurchase((await ours.purchase(least(more))).visibleId);

async function expectRefused(body: unknown, expected: ExpectedError): Promise<void> {
  const before = await ours.purchases();
  expectError(await ours.sendPurchase(body), expected);
  expect(await ours.purchases()).toEqual(before);
}

beforeAll(async () => {
  // In this time zone, dates would change if they were stored as times.
  service = await startApiServiceProcess({ TZ: 'Pacific/Kiritimati' });
  const api = await DescribedApi.of(service);
  const body = { role: 'editor', userName: 'Noa' };
  const { key } = await api.ok<{ key: string }>('POST /api-keys', { body });
  ours = new CostsClient(service, api, key);
  stranger = await ours.ofNewCompany();
  vendorId = await ours.vendor('Paper Ltd');
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

describe('POST /purchase/create (contract §11.6)', () => {
  it('returns { success, purchaseId, visibleId } with 201', async () => {
    const answer = await ours.sendPurchase(least());
    expect(answer.status).toBe(201);
    expect(bodyIn(answer)).toEqual({
      success: true,
      purchaseId: expect.any(Number),
      visibleId: expect.stringMatching(UUID),
    });
  });

  it.each(['vendorId', 'documentNumber', 'date', 'currency', 'total', 'tax'])(
    '%s is required',
    async (field) => {
      for (const nothing of [undefined, null])
        await expectRefused(least({ [field]: nothing }), invalid(field));
    },
  );

  it('vendorId · unknown, of another company, or of a client that is not a vendor', async () => {
    const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
    const { api, key } = ours;
    const made = await api.ok<{ clientId: number }>('POST /clients/create', { body: client, key });
    for (const id of [UNKNOWN_ID, Number.MAX_SAFE_INTEGER, await stranger.vendor(), made.clientId]) {
      await expectRefused(least({ vendorId: id }), unknown('vendorId'));
    }
  });

  it.each(DATES)('date · %s is not shifted', async (date) => {
    expect((await given({ date })).date).toBe(date);
    const { data } = await ours.purchases(`startDate=${date}&endDate=${date}`);
    expect(new Set(data.map((row) => row.date))).toEqual(new Set([date]));
  });

  it.each([0.01, 0.3, 118, 90_071_992_547.41, MOST])('total, tax · %d is exact', async (total) => {
    expect(await given({ total, tax: total })).toMatchObject({ total, tax: total, deductableTax: total });
  });

  it('tax is at most the total, deductableTax at most the tax, and all of it by default', async () => {
    const amounts: [more: Body, deductableTax: number][] = [
      [{}, 18],
      [{ deductableTax: null }, 18],
      [{ deductableTax: 0 }, 0],
      [{ deductableTax: 17.99 }, 17.99],
      [{ tax: 0 }, 0],
      [{ total: 0.3, tax: 0.3, deductableTax: 0.1 }, 0.1],
    ];
    for (const [more, deductableTax] of amounts)
      expect((await given(more)).deductableTax).toBe(deductableTax);
    await expectRefused(least({ total: 0.3, tax: 0.31 }), invalid('tax'));
    await expectRefused(least({ deductableTax: 18.01 }), invalid('deductableTax'));
  });

  it.each<[string, unknown[]]>([
    ['vendorId', [0, -1, 1.5, '1', '', []]],
    ['documentNumber', ['', '  ', 5, 'x'.repeat(101)]],
    ['date', ['2026-02-30', '2026-1-5', '2025-02-29', '2026-11-20T00:00:00Z', '', 20261120]],
    ['title', ['  ', 5, 'x'.repeat(201)]],
    ['currency', ['ils', 'ZZZ', '', 'USDX', 376]],
    ['total', [0, -0, -1, 0.001, 1.005, 0.1 + 0.2, MOST + 0.01, '118']],
    ['tax', [-0.01, 0.001, '18', MOST + 0.01]],
    ['deductableTax', [-0.01, 0.001, '18']],
    ['notes', ['  ', 5, 'x'.repeat(2_001)]],
  ])('%s · invalid values are refused', async (field, values) => {
    for (const value of values) {
      await expectRefused(least({ total: 118, tax: 18, [field]: value }), invalid(field));
    }
  });

  it.each<[string, string]>([
    ['title', ' נייר %_\\ 😀 '],
    ['title', '😀'.repeat(200)],
    ['documentNumber', ' INV-7 '],
    ['documentNumber', 'ח'.repeat(100)],
    ['notes', 'first\nsecond'],
    ['notes', 'א'.repeat(2_000)],
  ])('%s · is stored unchanged', async (field, value) => {
    expect(await given({ [field]: value })).toMatchObject({ title: null, notes: null, [field]: value });
  });

  it.each(['title', 'notes'])('%s · may be omitted, null or empty', async (field) => {
    for (const nothing of [undefined, null, '']) {
      expect(await given({ [field]: nothing })).toMatchObject({ [field]: null });
    }
  });

  it('may have a document number that exists already', async () => {
    const [one, other] = [await given({ documentNumber: 'Twice' }), await given({ documentNumber: 'Twice' })];
    expect(one.id).not.toBe(other.id);
  });
});

describe('GET /purchase/id/:visibleId', () => {
  it('is a purchase row with exactly the fields of contract §11.6 and its type', async () => {
    const body = {
      ...{ vendorId, documentNumber: 'INV-7', date: '2025-12-31', title: 'Paper', currency: 'USD' },
      ...{ total: 10.1, tax: 1.5, deductableTax: 1, notes: 'by post' },
    };
    const started = Date.now();
    const made = await ours.purchase(body);
    const row = await ours.readPurchase(made.visibleId);
    expect(row).toEqual({
      ...{ ...body, id: made.purchaseId, visibleId: made.visibleId, type: 'SUPPLIER_INVOICE' },
      ...{ vendor: { id: vendorId, name: 'Paper Ltd' }, status: 'OPEN', cancelled: false },
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: row.createdAt,
    });
    expect(Math.abs(Date.parse(row.createdAt) - started)).toBeLessThan(60_000);
    expect((await ours.readPurchase(made.visibleId.toUpperCase())).id).toBe(made.purchaseId);
  });

  it("is 404 for another company's id and for an invalid id", async () => {
    const made = await stranger.purchase({ ...LEAST_PURCHASE, vendorId: await stranger.vendor() });
    for (const id of [UNKNOWN_UUID, made.visibleId, 'abc', String((await given()).id)]) {
      const at = `/purchase/id/${id}`;
      expectError(await ours.api.send('GET /purchase/id/{visibleId}', { at, key: ours.key }), notFound);
    }
  });
});

describe('GET /purchase', () => {
  it('without rows: limit, pageSize and totalPages are 0, page is 1 (contract §2.6)', async () => {
    const nobody = await ours.ofNewCompany();
    for (const query of ['', ...IGNORED_WINDOWS, 'startDate=2026-01-01&page=2']) {
      expect(await nobody.purchases(query)).toEqual({ data: [], pagination: EMPTY });
    }
  });

  describe('with many rows', () => {
    let own: CostsClient;
    let vendors: { readonly A: number; readonly B: number };
    let rows: readonly PurchaseRow[];
    /** The indexes of the invoices in order of recording, by id. */
    let places: Map<number, number>;
    const found = async (query: string) => {
      const { data, pagination } = await own.purchases(query);
      expect(pagination).toMatchObject({ total: data.length, limit: data.length, page: 1 });
      return data.map(({ id }) => places.get(id));
    };

    beforeAll(async () => {
      own = await ours.ofNewCompany();
      vendors = { A: await own.vendor('A'), B: await own.vendor('B') };
      const told: ['A' | 'B', string][] = [
        ['A', '2026-01-31'],
        ['B', '2025-12-31'],
        ['A', '2026-02-01'],
        ['B', '2026-01-31'],
        ['A', '2024-02-29'],
        ['B', '2026-01-31'],
      ];
      const made = [];
      for (const [of, date] of told)
        made.push(await own.purchase({ ...LEAST_PURCHASE, vendorId: vendors[of], date }));
      places = new Map(made.map(({ purchaseId }, place) => [purchaseId, place]));
      await own.cancel(made[3]!.visibleId);
      rows = (await own.purchases()).data;
    });

    it('is the whole set, latest date first, including cancelled ones; paging is ignored', async () => {
      expect(await found('')).toEqual([2, 5, 3, 0, 1, 4]);
      const whole = await own.purchases();
      expect(whole.pagination).toEqual({
        ...{ total: 6, limit: 6, offset: 0, hasMore: false, page: 1, pageSize: 6, totalPages: 1 },
      });
      for (const query of IGNORED_WINDOWS) expect(await own.purchases(query)).toEqual(whole);
      expect(await own.purchases('sortBy=total&sortOrder=asc')).toEqual(whole);
    });

    it('has the same rows as single reads', async () => {
      for (const row of rows) expect(await own.readPurchase(row.visibleId)).toEqual(row);
    });

    it('is complete with more rows than a page has', async () => {
      const many = await ours.ofNewCompany();
      const body = { ...LEAST_PURCHASE, vendorId: await many.vendor() };
      await many.purchase(body);
      await service.database.query(
        `insert into supplier_invoices (company_id, visible_id, number, entity_id, document_number, date, currency,
           total, tax, deductable_tax, created_at, updated_at)
         select company_id, gen_random_uuid(), number + n, entity_id, document_number, date, currency, total, tax,
                deductable_tax, created_at, updated_at
           from supplier_invoices, generate_series(1, 250) n where entity_id = $1`,
        [body.vendorId],
      );
      const { data, pagination } = await many.purchases('limit=1&page=2');
      expect(new Set(data.map(({ id }) => id)).size).toBe(251);
      expect(pagination).toMatchObject({
        total: 251,
        limit: 251,
        pageSize: 251,
        totalPages: 1,
        hasMore: false,
      });
    });

    it('startDate, endDate, vendorId filter it, also combined', async () => {
      const ofA = `vendorId=${vendors.A}`;
      expect(await found('startDate=2026-01-31')).toEqual([2, 5, 3, 0]);
      expect(await found('endDate=2026-01-31')).toEqual([5, 3, 0, 1, 4]);
      expect(await found('startDate=2026-01-31&endDate=2026-01-31')).toEqual([5, 3, 0]);
      expect(await found('startDate=2024-02-29&endDate=2024-02-29')).toEqual([4]);
      expect(await found(ofA)).toEqual([2, 0, 4]);
      expect(await found(`${ofA}&startDate=2024-03-01&endDate=2026-01-31`)).toEqual([0]);
      expect(await found(`${ofA}&startDate=2024-03-01&endDate=2026-01-31&page=2&limit=1`)).toEqual([0]);
      for (const none of [
        'startDate=2026-02-02',
        `vendorId=${UNKNOWN_ID}`,
        `vendorId=0`,
        `vendorId=${vendorId}`,
      ]) {
        expect(await own.purchases(none)).toEqual({ data: [], pagination: EMPTY });
      }
    });

    it.each([
      ['startDate', ['', '2026-02-30', '2026-1-5', 'today', '2026-01-01&startDate=2026-01-01']],
      ['endDate', ['', '2025-02-29', '2026-11-20T00:00:00Z']],
      ['vendorId', ['', 'abc', '-1', '1.5', '1e3', '99999999999999999999', '1&vendorId=1']],
    ])('%s · invalid values are refused', async (field, values) => {
      for (const value of values) {
        const at = `/purchase?${field}=${value}`;
        expectError(await own.api.send('GET /purchase', { at, key: own.key }), invalid(field));
      }
    });
  });
});

describe('GET /purchase with several batches', () => {
  const COUNT = 3_456;

  it('is the whole set in order, while others are recorded', async () => {
    const own = await ours.ofNewCompany();
    const ownVendor = await own.vendor('Paper Ltd');
    const first = await own.purchase({ ...LEAST_PURCHASE, vendorId: ownVendor, date: '2026-01-01' });
    await service.database.query(
      `insert into supplier_invoices (visible_id, company_id, number, entity_id, document_number, date, currency, total,
         tax, deductable_tax, created_at, updated_at)
       select gen_random_uuid(), i.company_id, 1 + n, i.entity_id, 'מס ' || n, date '2026-01-01' + n % 7, 'ILS', n, 0, 0,
              now(), now()
         from supplier_invoices i, generate_series(1, ${COUNT}) n where i.visible_id = $1`,
      [first.visibleId],
    );
    const recording = Promise.all(
      Array.from({ length: 8 }, () =>
        own.purchase({ ...LEAST_PURCHASE, vendorId: ownVendor, date: '2026-01-02' }),
      ),
    );
    const { data, pagination } = await own.purchases();
    await recording;
    expect(pagination).toEqual({
      ...{ total: data.length, limit: data.length, offset: 0, hasMore: false, page: 1 },
      ...{ pageSize: data.length, totalPages: 1 },
    });
    const inOrder = [...data].sort((a, b) => b.date.localeCompare(a.date) || b.id - a.id);
    expect(data.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    const numbers = new Set(data.map(({ documentNumber }) => documentNumber));
    expect(Array.from({ length: COUNT }, (_, n) => `מס ${n + 1}`).filter((one) => !numbers.has(one))).toEqual(
      [],
    );
    expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
  });
});

describe('POST /purchase/cancel/:visibleId', () => {
  it('cancels it: it stays, but is no longer a cost', async () => {
    const before = await given({ title: 'To be cancelled', date: '2030-01-01' });
    const answer = await ours.sendCancel(before.visibleId);
    expect({ status: answer.status, body: bodyIn(answer) }).toEqual({
      status: 200,
      body: { success: true, purchaseId: before.id, visibleId: before.visibleId },
    });
    const after = await ours.readPurchase(before.visibleId);
    expect(after).toEqual({ ...before, status: 'CANCELLED', cancelled: true, updatedAt: after.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect((await ours.purchases('startDate=2030-01-01&endDate=2030-01-01')).data).toEqual([after]);
    for (const query of ['', '&search=to%20be', '&search=to']) {
      const list = `include=all&startDate=2030-01-01&endDate=2030-01-01${query}`;
      expect(await ours.list(list)).toMatchObject({ data: [], pagination: { total: 0 } });
    }
  });

  it('a second time is INVALID_STATE, and of concurrent calls all but one', async () => {
    const { visibleId } = await given();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ours.sendCancel(visibleId)));
    const [first, ...others] = answers.sort((one, other) => one.status - other.status);
    expect(first!.status).toBe(200);
    for (const other of others) expectError(other, invalidState);
    const after = await ours.readPurchase(visibleId);
    expectError(await ours.sendCancel(visibleId, { reason: 'another' }), invalidState);
    expect(await ours.readPurchase(visibleId)).toEqual(after);
  });

  it.each([
    {},
    { reason: '' },
    { reason: '  ' },
    { reason: null },
    { reason: 5 },
    { reason: 'x'.repeat(501) },
  ])('is refused without a reason: %j', async (body) => {
    const { visibleId } = await given();
    expectError(await ours.sendCancel(visibleId, body), invalid('reason'));
    expect((await ours.readPurchase(visibleId)).cancelled).toBe(false);
  });

  it('is 404 for an unknown id', async () => {
    const theirs = await stranger.purchase({ ...LEAST_PURCHASE, vendorId: await stranger.vendor() });
    for (const id of [UNKNOWN_UUID, theirs.visibleId, 'abc', '1']) {
      expectError(await ours.sendCancel(id), notFound);
    }
    expect(await stranger.readPurchase(theirs.visibleId)).toMatchObject({ cancelled: false });
  });
});

describe('a supplier invoice among documents', () => {
  interface Found extends Json {
    readonly id: number;
    readonly number: number;
  }
  const byId = (id: number | string, by = ours) =>
    by.api.ok<Found>('GET /documents/{id}', { at: `/documents/${id}`, key: by.key });

  it('is found by its number and by its public id, as a document of type SUPPLIER_INVOICE', async () => {
    const row = await given({ total: 118.3, tax: 18.1, notes: 'by post', title: 'Paper', currency: 'USD' });
    const expected = {
      ...{ id: row.id, documentId: row.id, visibleId: row.visibleId, type: 'SUPPLIER_INVOICE' },
      ...{ number: expect.any(Number), externalId: null, entityId: vendorId, retainerId: null },
      ...{
        issueDate: row.date,
        dueDate: null,
        period: null,
        updatedAt: row.updatedAt,
        createdAt: row.createdAt,
      },
      ...{
        currency: 'USD',
        amount: 100.2,
        tax: 18.1,
        totalWithTax: 118.3,
        rounding: 0,
        status: 'OPEN',
        isOpen: true,
      },
      ...{ remainingAmount: 118.3, coveredAmount: 0, taxAuthorityApprovalNumber: null },
      ...{ approvalNumberStatus: null, cancelled: false, cancellationReason: null, refundOf: null },
      ...{
        notes: 'by post',
        items: [],
        payments: [],
        allocations: [],
        linkedDocumentIds: [],
        creditedBy: [],
        coveredBy: null,
        withholding: null,
      },
      entity: { id: vendorId, visibleId: expect.stringMatching(UUID), name: 'Paper Ltd' },
    };
    const document = await byId(row.id);
    expect(document).toEqual(expected);
    expect(await byId(row.visibleId)).toEqual(document);
    const at = `/documents/id/${row.visibleId}`;
    expect(await ours.api.ok('GET /documents/id/{visibleId}', { at, key: ours.key })).toEqual(document);
    await ours.sendCancel(row.visibleId, { reason: 'נרשם פעמיים' });
    const cancelled = {
      ...{ status: 'CANCELLED', isOpen: false, cancelled: true, cancellationReason: 'נרשם פעמיים' },
      ...{ remainingAmount: 0, updatedAt: expect.stringMatching(TIMESTAMP) },
    };
    expect(await byId(row.visibleId)).toEqual({ ...document, ...cancelled });
  });

  it('is not found by another company', async () => {
    const row = await given();
    for (const id of [row.id, row.visibleId]) {
      const at = `/documents/${id}`;
      expectError(await ours.api.send('GET /documents/{id}', { at, key: stranger.key }), notFound);
    }
  });

  it('is neither in GET /documents nor in its feed, and has no other document actions', async () => {
    const { api, key } = ours;
    const row = await given();
    for (const query of ['', 'updatedSince=2020-01-01', `entityId=${vendorId}`, 'search=INV-1']) {
      const at = `/documents?${query}`;
      expect(await api.ok('GET /documents', { at, key })).toMatchObject({ data: [], total: 0 });
    }
    const at = '/documents?type=SUPPLIER_INVOICE';
    expectError(await api.send('GET /documents', { at, key }), invalid('type'));
    for (const action of ['close', 'cancel']) {
      const answer = await api.send(`POST /documents/${action}/{visibleId}`, {
        at: `/documents/${action}/${row.visibleId}`,
        ...(action === 'cancel' ? { body: { reason: 'x' } } : {}),
        key,
      });
      expectError(answer, notFound);
    }
    const create = 'POST /documents/create/{type}';
    const body = { entityId: vendorId, items: [{ description: 'x', quantity: 1, unitPrice: 1 }] };
    const asked = { at: '/documents/create/supplier-invoice', body, key };
    expectError(await api.send(create, asked), notFound);
    expect(await ours.readPurchase(row.visibleId)).toEqual(row);
  });

  it('cannot be paid, credited or covered', async () => {
    const { api, key } = ours;
    const row = await given();
    const documentId = row.id;
    const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
    const { clientId } = await api.ok<{ clientId: number }>('POST /clients/create', { body: client, key });
    const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
    const payments = [{ method: 'CASH', amount: 1 }];
    const wrong: [type: string, more: object, field: string][] = [
      ['receipt', { payments, allocations: [{ documentId, amount: 1 }] }, 'allocations[0].documentId'],
      ['refund', { items, refundOf: documentId }, 'refundOf'],
      ['order', { items, linkedDocumentIds: [documentId] }, 'linkedDocumentIds[0]'],
    ];
    for (const [type, more, field] of wrong) {
      const asked = { at: `/documents/create/${type}`, body: { entityId: clientId, ...more }, key };
      expectError(await api.send('POST /documents/create/{type}', asked), unknown(field));
    }
    expectError(
      await api.send('POST /documents/approval-number/{visibleId}', {
        ...{ at: `/documents/approval-number/${row.visibleId}`, body: { approvalNumber: '123456789' }, key },
      }),
      notFound,
    );
    expect(await ours.readPurchase(row.visibleId)).toEqual(row);
  });

  it('shares its ids with no document', async () => {
    const { api } = ours;
    const own = await ours.ofNewCompany();
    const { key } = own;
    const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
    const { clientId } = await api.ok<{ clientId: number }>('POST /clients/create', { body: client, key });
    const items = [{ description: 'x', quantity: 1, unitPrice: 1 }];
    const vendor = await own.vendor();
    const made = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        if (n % 2) return (await own.purchase({ ...LEAST_PURCHASE, vendorId: vendor })).purchaseId;
        const asked = { at: '/documents/create/quote', body: { entityId: clientId, items }, key };
        return (await api.ok<{ id: number }>('POST /documents/create/{type}', asked)).id;
      }),
    );
    expect(new Set(made).size).toBe(10);
    const types = await Promise.all(made.map(async (id) => (await byId(id, own))['type']));
    expect(types).toEqual(made.map((_, n) => (n % 2 ? 'SUPPLIER_INVOICE' : 'QUOTE')));
  });

  it('is numbered without gaps, also with concurrent and refused calls', async () => {
    const own = await ours.ofNewCompany();
    const second = await ours.ofNewCompany();
    const body = { ...LEAST_PURCHASE, vendorId: await own.vendor() };
    const theirs = { ...LEAST_PURCHASE, vendorId: await second.vendor() };
    const made = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        if (n % 5 === 0) expectError(await own.sendPurchase({ ...body, tax: 119 }), invalid('tax'));
        if (n % 7 === 0) await own.sendPurchase({ ...body, vendorId: UNKNOWN_ID });
        if (n % 4 === 0) await second.purchase(theirs);
        return (await own.purchase(body)).purchaseId;
      }),
    );
    await own.cancel((await own.purchases()).data[0]!.visibleId);
    const last = await own.purchase(body);
    const numbers = await Promise.all(
      [...made, last.purchaseId].map(async (id) => (await byId(id, own)).number),
    );
    expect([...numbers].sort((one, other) => one - other)).toEqual(numbers.map((_, n) => n + 1));
    expect(numbers.at(-1)).toBe(41);
  });
});
