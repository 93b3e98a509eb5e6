import { daysAfter } from '@counterfoil/kernel';
import {
  answered,
  bodyOf,
  type Created,
  type Customer,
  demo,
  issue,
  ITEM,
  type Json,
  newCompany,
  send,
  serveDocuments,
  service,
  withClient,
} from './document-calls';
import { expectError } from './error-body';
import { UNKNOWN_UUID } from './wire-values';

serveDocuments();

interface List {
  readonly data: Created[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean; readonly totalPages: number };
}

const TYPES = [
  'TAX_INVOICE',
  'TAX_INVOICE_RECEIPT',
  'RECEIPT',
  'REFUND',
  'RETURN',
  'PROFORMA',
  'QUOTE',
  'ORDER',
  'DELIVERY_NOTE',
];

const read = <T = Json>(customer: Customer, path: string) => answered<T>(customer, `GET ${path}`, 200);

/** Fields that are always numbers (contract §1.3). */
const NUMBERS =
  /^(id|documentId|number|entityId|retainerId|productId|quantity|unitPrice|discountPercent|vatRate|lineTotal|amount|tax|totalWithTax|remainingAmount|coveredAmount|total|limit|offset|page|pageSize|totalPages)$/;

function numbersIn(value: unknown, found: [string, unknown][] = []): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, child] of Object.entries(value)) {
    if (NUMBERS.test(key) && child !== null) found.push([key, child]);
    numbersIn(child, found);
  }
  return found;
}

describe('a document of each type', () => {
  const spellings = TYPES.flatMap((type) => {
    const lower = type.toLowerCase();
    return [...new Set([type, lower, lower.replaceAll('_', '-')])].map((spelling) => ({ type, spelling }));
  });

  it.each(spellings)('is issued by create/$spelling as $type', async ({ type, spelling }) => {
    const externalId = `issued at ${spelling}`;
    const created = await issue(demo, spelling, { externalId });
    const totals =
      type === 'RECEIPT'
        ? { amount: 100, tax: 0, totalWithTax: 100 }
        : { amount: 100, tax: 18, totalWithTax: 118 };
    expect(created).toEqual({
      success: true,
      id: expect.any(Number),
      visibleId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      type,
      number: expect.any(Number),
      externalId,
      status: type === 'TAX_INVOICE_RECEIPT' ? 'PAID' : 'OPEN',
      approvalNumberStatus: null,
      taxAuthorityApprovalNumber: null,
      ...totals,
    });
  });

  it('takes the next number of its type in every spelling', async () => {
    const customer = await newCompany();
    for (const { type, spelling } of spellings) {
      const count = spellings.filter((one) => one.type === type);
      const { number } = await issue(customer, spelling);
      expect({ spelling, number }).toEqual({
        spelling,
        number: count.findIndex((one) => one.spelling === spelling) + 1,
      });
    }
  });

  it.each(['SUPPLIER_INVOICE', 'invoice', 'taxinvoice', 'tax--invoice', 'tax%20invoice', 'TAX_INVOICE_'])(
    'is not issued by create/%s',
    async (type) => {
      const answer = await send(demo, 'POST', `/documents/create/${type}`, bodyOf(demo, 'ORDER'));
      expectError(answer, { status: 404, code: 'NOT_FOUND' });
    },
  );
});

describe('totals', () => {
  const item = (quantity: number, unitPrice: number, more: object = {}) => ({
    description: 'x',
    quantity,
    unitPrice,
    vatRate: 0,
    ...more,
  });
  const vat = (vatRate: number, discountPercent = 0) => ({ vatRate, discountPercent });

  it.each<[string, object[], [amount: number, tax: number, totalWithTax: number]]>([
    ['0.1 and 0.2', [item(1, 0.1), item(1, 0.2)], [0.3, 0, 0.3]],
    ['3 times 0.1', [item(3, 0.1)], [0.3, 0, 0.3]],
    ['3 times 0.1, with VAT', [item(3, 0.1, vat(18))], [0.3, 0.05, 0.35]],
    ['100 times 1.15', [item(100, 1.15)], [115, 0, 115]],
    ['1.005, half an agora up', [item(1, 1.005)], [1.01, 0, 1.01]],
    ['0.125, half an agora up', [item(1, 0.125)], [0.13, 0, 0.13]],
    ['1.0049, down', [item(1, 1.0049)], [1, 0, 1]],
    ['a third, three times', [item(0.3333, 3)], [1, 0, 1]],
    ['a ten-thousandth of 50', [item(0.0001, 50)], [0.01, 0, 0.01]],
    ['less than half an agora', [item(0.0001, 49)], [0, 0, 0]],
    ['a discount', [item(1, 99.99, vat(18, 10))], [89.99, 16.2, 106.19]],
    ['a discount of 33.3333 %', [item(1, 100, vat(0, 33.3333))], [66.67, 0, 66.67]],
    ['a discount of everything', [item(7, 12.34, vat(18, 100))], [0, 0, 0]],
    ['a free item beside another', [item(1, 0), item(1, 5)], [5, 0, 5]],
    ['several rates', [item(1, 100, vat(18)), item(1, 50), item(1, 30, vat(17))], [180, 23.1, 203.1]],
    [
      'VAT on the sum of a rate, not on each line',
      [item(1, 0.03, vat(18)), item(1, 0.03, vat(18))],
      [0.06, 0.01, 0.07],
    ],
    ['a rate of 4 decimals', [item(1, 1000, vat(8.1251))], [1000, 81.25, 1081.25]],
    ['VAT at half an agora, up', [item(1, 0.25, vat(18))], [0.25, 0.05, 0.3]],
    ['a rate of 100 %', [item(1, 0.01, vat(100))], [0.01, 0.01, 0.02]],
    [
      '1,000 lines of one agora',
      Array.from({ length: 1_000 }, () => item(1, 0.01, vat(18))),
      [10, 1.8, 11.8],
    ],
    ['the largest price', [item(1, 9_999_999_999.9999)], [10_000_000_000, 0, 10_000_000_000]],
    ['the largest amount', [item(100, 9_999_999_999.9999)], [999_999_999_999.99, 0, 999_999_999_999.99]],
    [
      'the largest amount with VAT',
      [item(1, 8_474_576_271.1864, vat(18))],
      [8_474_576_271.19, 1_525_423_728.81, 10_000_000_000],
    ],
  ])('are exact: %s', async (_, items, [amount, tax, totalWithTax]) => {
    const created = await issue(demo, 'ORDER', { items });
    expect(created).toMatchObject({ amount, tax, totalWithTax });
    const stored = await read<Json & { items: { lineTotal: number }[] }>(demo, `/documents/${created.id}`);
    expect(stored).toMatchObject({
      amount,
      tax,
      totalWithTax,
      remainingAmount: totalWithTax,
      coveredAmount: 0,
    });
    expect(stored.items).toMatchObject(items);
    const agorot = stored.items.reduce((sum, { lineTotal }) => sum + Math.round(lineTotal * 100), 0);
    expect(agorot).toBe(Math.round(amount * 100));
  });

  it.each<[string, object[]]>([
    ['a price too large for its quantity', [item(100.0001, 9_999_999_999.9999)]],
    ['the largest of both', [item(9_999_999_999.9999, 9_999_999_999.9999)]],
    ['too large together', [item(100, 9_999_999_999.9999), item(1, 0.01)]],
    ['too large with VAT', [item(100, 9_000_000_000, vat(18))]],
  ])('beyond the maximum are refused: %s', async (_, items) => {
    const answer = await send(demo, 'POST', '/documents/create/order', { entityId: demo.entityId, items });
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'items' });
  });

  it('of 0 make the document settled', async () => {
    const { id } = await issue(demo, 'TAX_INVOICE', { items: [item(1, 0)] });
    expect(await read(demo, `/documents/${id}`)).toMatchObject({
      status: 'PAID',
      isOpen: false,
      remainingAmount: 0,
      totalWithTax: 0,
    });
  });
});

describe('the record of a document', () => {
  const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Jerusalem' });

  it('has all fields, with defaults for omitted ones', async () => {
    const earliest = today();
    const created = await issue(demo, 'TAX_INVOICE');
    const record = await read(demo, `/documents/${created.id}`);
    expect(record).toEqual({
      id: created.id,
      documentId: created.id,
      visibleId: created.visibleId,
      type: 'TAX_INVOICE',
      number: created.number,
      externalId: null,
      entityId: demo.entityId,
      retainerId: null,
      issueDate: expect.any(String),
      // The initial payment term of the company.
      dueDate: daysAfter(String(record['issueDate']), 30),
      period: null,
      currency: 'ILS',
      amount: 100,
      tax: 18,
      totalWithTax: 118,
      rounding: 0,
      status: 'OPEN',
      isOpen: true,
      remainingAmount: 118,
      coveredAmount: 0,
      taxAuthorityApprovalNumber: null,
      approvalNumberStatus: null,
      cancelled: false,
      notes: null,
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      updatedAt: record['createdAt'],
      items: [{ ...ITEM, productId: null, discountPercent: 0, vatRate: 18, lineTotal: 100 }],
      payments: [],
      allocations: [],
      linkedDocumentIds: [],
      creditedBy: [],
      coveredBy: null,
      withholding: null,
      refundOf: null,
      cancellationReason: null,
      entity: { id: demo.entityId, visibleId: expect.any(String), name: 'Acme' },
    });
    expect([earliest, today()]).toContain(record['issueDate']);
    expect(Math.abs(Date.now() - Date.parse(String(record['createdAt'])))).toBeLessThan(60_000);
  });

  it('has the values that were sent', async () => {
    const sent = {
      issueDate: '2024-02-29',
      dueDate: '2024-02-29',
      currency: 'USD',
      notes: 'שורה ראשונה\nsecond line 😀',
      externalId: '😀'.repeat(64),
      items: [
        { description: 'ייעוץ', quantity: 1.2345, unitPrice: 0.0001, discountPercent: 0.5, vatRate: 17 },
      ],
    };
    const { id } = await issue(demo, 'PROFORMA', sent);
    expect(await read(demo, `/documents/${id}`)).toMatchObject(sent);
  });

  it('of an order to a vendor has the tax to withhold, as its preview and its pages', async () => {
    const customer = await newCompany();
    const vendor = { name: 'Paper', taxId: '515555555', type: 'COMPANY', withholdingTaxRate: 5 };
    const { vendorId } = await answered(customer, 'POST /vendors/create', 201, vendor);
    const body = { type: 'ORDER', entityId: vendorId, items: [ITEM] };
    const withholding = { rate: 5, base: 'with_vat', amount: 5.9 };
    expect(await answered(customer, 'POST /documents/preview', 200, body)).toMatchObject({ withholding });
    const { text: page } = await send(customer, 'POST', '/documents/preview/html', body);
    expect(page).toMatch(/Tax to be withheld \(5%\).*5\.90.*To be paid after withholding.*112\.10/s);
    const { id } = await answered<Created>(customer, 'POST /documents/create/order', 201, body);
    expect(await read(customer, `/documents/${id}`)).toMatchObject({ withholding, totalWithTax: 118 });
  });

  it('is the same by number, by public id, and by a public id that looks like a number', async () => {
    const { id, visibleId } = await issue(demo, 'QUOTE');
    const record = await read(demo, `/documents/${id}`);
    expect(record).toMatchObject({ id, visibleId });
    for (const path of [
      visibleId,
      visibleId.toUpperCase(),
      `id/${visibleId}`,
      `id/${visibleId.toUpperCase()}`,
    ]) {
      expect(await read(demo, `/documents/${path}`)).toEqual(record);
    }
  });

  it.each(['999999999', '0', UNKNOWN_UUID, `id/${UNKNOWN_UUID}`, 'id/abc', 'id/1'])(
    'is not found at /documents/%s',
    async (path) => {
      expectError(await send(demo, 'GET', `/documents/${path}`), { status: 404, code: 'NOT_FOUND' });
    },
  );

  it('has every number as a JSON number in every response', async () => {
    const payments = [{ method: 'CASH', amount: 118 }];
    const created = await issue(demo, 'TAX_INVOICE_RECEIPT', { payments });
    const again = { externalId: 'numbers' };
    await issue(demo, 'ORDER', again);
    const answers = [
      created,
      await answered(demo, 'POST /documents/create/order', 200, bodyOf(demo, 'ORDER', again)),
      await read(demo, `/documents/${created.id}`),
      await read(demo, `/documents/id/${created.visibleId}`),
      await read(demo, '/documents'),
    ];
    for (const answer of answers) {
      const numbers = numbersIn(answer);
      expect(numbers.length).toBeGreaterThanOrEqual(2);
      expect(numbers.filter(([, value]) => typeof value !== 'number')).toEqual([]);
    }
  });
});

describe('a rule of issuing', () => {
  const cash = (amount: number, date?: string) => ({ method: 'CASH', amount, ...(date ? { date } : {}) });

  it.each<[string, string, string, object]>([
    ['dueDate', 'is before issueDate', 'TAX_INVOICE', { issueDate: '2026-03-02', dueDate: '2026-03-01' }],
    ['dueDate', 'is before today', 'TAX_INVOICE', { dueDate: '2020-01-01' }],
    ['items', 'are left out', 'TAX_INVOICE', { items: undefined }],
    ['items', 'are none', 'QUOTE', { items: [] }],
    ['items', 'are null', 'TAX_INVOICE_RECEIPT', { items: null }],
    ['payments', 'are left out', 'RECEIPT', { payments: undefined }],
    ['payments', 'are none', 'RECEIPT', { payments: [] }],
    ['payments', 'do not add up to the items', 'RECEIPT', { items: [ITEM], payments: [cash(117.99)] }],
    ['payments', 'do not add up', 'TAX_INVOICE_RECEIPT', { payments: [cash(118.01)] }],
    ['payments', 'do not add up, by one', 'TAX_INVOICE_RECEIPT', { payments: [cash(100), cash(18.01)] }],
    [
      'payments',
      'are more than can be held',
      'RECEIPT',
      { payments: [cash(999_999_999_999.99), cash(0.01)] },
    ],
    ...TYPES.filter((type) => !type.includes('RECEIPT')).map((type): [string, string, string, object] => [
      'payments',
      `are not recorded on a ${type}`,
      type,
      { payments: [cash(118)] },
    ]),
  ])('refuses a violation: %s %s', async (field, _, type, more) => {
    const answer = await send(demo, 'POST', `/documents/create/${type}`, bodyOf(demo, type, more));
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
  });

  it.each<[string, string, object, object]>([
    [
      'a receipt over its payments',
      'RECEIPT',
      { payments: [cash(0.1), cash(0.2)] },
      { totalWithTax: 0.3, tax: 0, status: 'OPEN' },
    ],
    [
      'a receipt of items too',
      'RECEIPT',
      { items: [ITEM], payments: [cash(100), cash(18)] },
      { totalWithTax: 118 },
    ],
    [
      'an invoice-receipt with its payments',
      'TAX_INVOICE_RECEIPT',
      { payments: [cash(118)] },
      { status: 'PAID', remainingAmount: 0, coveredAmount: 118 },
    ],
    ['an invoice-receipt without any', 'TAX_INVOICE_RECEIPT', {}, { status: 'PAID', isOpen: false }],
    [
      'nulls for what may be left out',
      'ORDER',
      { dueDate: null, issueDate: null, currency: null, notes: null, externalId: null, payments: null },
      { currency: 'ILS' },
    ],
    ['a due date on the day of issue', 'ORDER', { issueDate: '2026-01-01', dueDate: '2026-01-01' }, {}],
    ['no links, in either way', 'ORDER', { allocations: [], linkedDocumentIds: null }, {}],
  ])('accepts valid values: %s', async (_, type, more, expected) => {
    const { id } = await issue(demo, type, more);
    expect(await read(demo, `/documents/${id}`)).toMatchObject(expected);
  });

  it('gives a payment without a date the date of the document', async () => {
    const payments = [cash(1), cash(2, '2026-01-15')];
    const { id } = await issue(demo, 'RECEIPT', { issueDate: '2026-01-31', payments });
    expect(await read(demo, `/documents/${id}`)).toMatchObject({
      payments: [cash(1, '2026-01-31'), cash(2, '2026-01-15')],
    });
  });

  it('keeps the note of a payment, which is one line', async () => {
    const payments = [{ ...cash(1), note: 'No. 1042, לאומי' }, { ...cash(2), note: null }, cash(3)];
    const { id } = await issue(demo, 'RECEIPT', { payments });
    const { payments: kept } = await read<{ payments: Json[] }>(demo, `/documents/${id}`);
    expect(kept.map(({ note }) => note)).toEqual(['No. 1042, לאומי', null, null]);
    const body = { entityId: demo.entityId, payments: [{ ...cash(1), note: 'two\nlines' }] };
    const refused = await send(demo, 'POST', '/documents/create/receipt', body);
    expectError(refused, { status: 400, code: 'VALIDATION_FAILED', field: 'payments[0].note' });
  });
});

describe('an externalId', () => {
  it('makes a second call return the first document, whatever its body', async () => {
    const externalId = 'order 1';
    const { id, visibleId, number, type } = await issue(demo, 'TAX_INVOICE', { externalId });
    const existing = { success: true, id, visibleId, type, number, externalId, alreadyExists: true };
    for (const [otherType, more] of [
      ['TAX_INVOICE', {}],
      ['TAX_INVOICE', { items: [{ ...ITEM, unitPrice: 5 }], notes: 'other' }],
      ['RECEIPT', {}],
    ] as const) {
      const body = bodyOf(demo, otherType, { ...more, externalId });
      expect(await answered(demo, `POST /documents/create/${otherType}`, 200, body)).toEqual(existing);
    }
    expect(await read(demo, `/documents/${id}`)).toMatchObject({ externalId, totalWithTax: 118 });
  });

  it('finds its document only within its company', async () => {
    const { visibleId } = await issue(demo, 'QUOTE', { externalId: 'הזמנה/7?' });
    const path = `/documents/by-external-id/${encodeURIComponent('הזמנה/7?')}`;
    expect(await read(demo, path)).toEqual(await read(demo, `/documents/id/${visibleId}`));
    const unknown = { success: false, code: 'NOT_FOUND' };
    expect(await answered(demo, 'GET /documents/by-external-id/unknown', 404)).toMatchObject(unknown);
    expect(await answered(await newCompany(), `GET ${path}`, 404)).toMatchObject(unknown);
  });

  it('distinguishes case and spaces', async () => {
    const ids = ['Order-2', 'order-2', ' order-2', 'order-2 '];
    const numbers = [];
    for (const externalId of ids) numbers.push((await issue(demo, 'ORDER', { externalId })).number);
    expect(new Set(numbers).size).toBe(ids.length);
  });
});

describe('a product or retainer that the company does not have', () => {
  it.each([
    ['retainerId', { retainerId: 999_999 }],
    ['items[0].productId', { items: [{ ...ITEM, productId: 1 }] }],
  ])('is an unknown reference: %s', async (field, more) => {
    const refused = await answered(demo, 'POST /documents/create/ORDER', 400, bodyOf(demo, 'ORDER', more));
    expect(refused).toMatchObject({ code: 'UNKNOWN_REFERENCE', details: [{ field }] });
  });
});

describe('a document of a retainer', () => {
  const given = async (customer: Customer) => {
    const monthly = { ...bodyOf(customer, 'ORDER'), interval: 'MONTHLY', documentType: 'ORDER' };
    const body = { ...monthly, nextRunDate: '2999-01-31' };
    return (await answered<{ retainerId: number }>(customer, 'POST /retainers/create', 201, body)).retainerId;
  };

  it('names the retainer in its record, its row and its event, and is the last document of the retainer', async () => {
    const customer = await newCompany();
    const retainerId = await given(customer);
    const preview = { ...bodyOf(customer, 'ORDER', { retainerId }), type: 'ORDER' };
    expect(await answered(customer, 'POST /documents/preview', 200, preview)).toMatchObject({ retainerId });
    const { id, visibleId, number } = await issue(customer, 'ORDER', { retainerId, issueDate: '2026-03-01' });
    expect(await read(customer, `/documents/${id}`)).toMatchObject({ id, retainerId });
    const { data } = await read<List>(customer, '/documents');
    expect(data).toMatchObject([{ id, retainerId }]);
    const told = await service.database.query<{ body: string }>(
      `select body from outbox_events where body::jsonb #>> '{data,document,id}' = $1`,
      [visibleId],
    );
    expect(told.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
      { type: 'document.created', data: { document: { retainerId } } },
    ]);
    const last = { id, visibleId, type: 'ORDER', number, issueDate: '2026-03-01' };
    expect(await read(customer, '/retainers')).toMatchObject({
      data: [{ id: retainerId, lastDocument: last }],
    });
  });

  it('is refused after the retainer has ended; earlier documents keep it', async () => {
    const customer = await newCompany();
    const retainerId = await given(customer);
    const { id } = await issue(customer, 'ORDER', { retainerId });
    await answered(customer, `DELETE /retainers/${retainerId}`, 200);
    for (const path of ['create/ORDER', 'preview', 'preview/html', 'preview/pdf']) {
      const body = { ...bodyOf(customer, 'ORDER', { retainerId }), type: 'ORDER' };
      const refused = await answered(customer, `POST /documents/${path}`, 400, body);
      expect(refused).toMatchObject({ code: 'UNKNOWN_REFERENCE', details: [{ field: 'retainerId' }] });
    }
    expect(await read(customer, `/documents/${id}`)).toMatchObject({ retainerId });
  });
});

describe('the listing', () => {
  let customer: Customer;
  let other: number;
  let newestFirst: number[];
  const idsAt = async (query: string) =>
    (await read<List>(customer, `/documents?${query}`)).data.map(({ id }) => id);

  beforeAll(async () => {
    customer = await newCompany();
    ({ entityId: other } = await withClient(customer.key));
    const issued: { id: number; issueDate: string }[] = [];
    for (let n = 0; n < 23; n++) {
      const issueDate = `2026-01-${String(1 + ((n * 5) % 7)).padStart(2, '0')}`;
      const type = ['TAX_INVOICE', 'RECEIPT', 'TAX_INVOICE_RECEIPT'][n % 3]!;
      const entityId = n % 2 === 0 ? customer.entityId : other;
      const { id } = await issue(customer, type, { issueDate, entityId, notes: 'The spring campaign' });
      issued.push({ id, issueDate });
    }
    newestFirst = issued
      .sort((a, b) => b.issueDate.localeCompare(a.issueDate) || b.id - a.id)
      .map(({ id }) => id);
  });

  it('orders by latest issue date, and then by latest issue', async () => {
    expect(await idsAt('')).toEqual(newestFirst);
  });

  it('has the window in pagination, with the legacy keys', async () => {
    const answer = await read<Json & { data: unknown[] }>(customer, '/documents?pageSize=5&page=2');
    expect(answer).toEqual({
      data: expect.any(Array),
      pagination: { total: 23, limit: 5, offset: 5, hasMore: true, page: 2, pageSize: 5, totalPages: 5 },
      documents: answer.data,
      total: 23,
      page: 2,
      pageSize: 5,
    });
    expect(answer.data).toHaveLength(5);
    const record = await read(customer, `/documents/${newestFirst[5]}`);
    const { items, payments, allocations, withholding, ...linked } = record;
    const { linkedDocumentIds, creditedBy, coveredBy, ...row } = linked;
    const ofTheRecord = [items, payments, allocations, linkedDocumentIds, withholding, creditedBy, coveredBy];
    expect([...ofTheRecord, row['entity']]).not.toContain(undefined);
    expect(answer.data[0]).toEqual(row);
  });

  it.each([1, 5, 7, 23, 50])('returns each document once in pages of %s', async (size) => {
    const byPage: number[] = [];
    const byOffset: number[] = [];
    for (let page = 1; ; page++) {
      const list = await read<List>(customer, `/documents?pageSize=${size}&page=${page}`);
      byPage.push(...list.data.map(({ id }) => id));
      byOffset.push(...(await idsAt(`limit=${size}&offset=${(page - 1) * size}`)));
      expect(list.pagination.hasMore).toBe(page < list.pagination.totalPages);
      if (!list.pagination.hasMore) break;
    }
    expect(byPage).toEqual(newestFirst);
    expect(byOffset).toEqual(newestFirst);
  });

  it('returns no rows for a page past the end', async () => {
    expect(await read(customer, '/documents?page=9&limit=10')).toMatchObject({
      data: [],
      documents: [],
      total: 23,
      pagination: { total: 23, offset: 80, hasMore: false, page: 9, totalPages: 3 },
    });
  });

  it.each<[string, (row: Json) => boolean]>([
    ['type=RECEIPT', ({ type }) => type === 'RECEIPT'],
    ['status=PAID', ({ status }) => status === 'PAID'],
    ['status=OPEN', ({ status }) => status === 'OPEN'],
    ['status=CANCELLED', () => false],
    ['startDate=2026-01-05', ({ issueDate }) => String(issueDate) >= '2026-01-05'],
    ['endDate=2026-01-02', ({ issueDate }) => String(issueDate) <= '2026-01-02'],
    ['startDate=2026-01-03&endDate=2026-01-03', ({ issueDate }) => issueDate === '2026-01-03'],
    ['startDate=2026-01-04&endDate=2026-01-03', () => false],
    ['type=TAX_INVOICE&status=PAID', () => false],
    ['approvalNumberStatus=PENDING', ({ approvalNumberStatus }) => approvalNumberStatus === 'PENDING'],
    ['approvalNumberStatus=REFUSED', () => false],
    [
      'overdueOn=2030-01-01',
      ({ isOpen, dueDate }) => isOpen === true && typeof dueDate === 'string' && dueDate < '2030-01-01',
    ],
    ['overdueOn=2026-01-01', () => false],
    [
      'type=TAX_INVOICE&startDate=2026-01-04',
      ({ type, issueDate }) => type === 'TAX_INVOICE' && String(issueDate) >= '2026-01-04',
    ],
    ['unknown=x', () => true],
  ])(
    'with %s shows and counts the matching documents, also among those that a search finds',
    async (query, fits) => {
      const all = await read<{ data: Json[] }>(customer, '/documents?limit=200');
      const expected = all.data.filter(fits);
      // The name of the client of all documents, and their notes. Two letters are not looked up.
      for (const search of ['', '&search=acme', '&search=campaign', '&search=ac']) {
        const list = await read<List>(customer, `/documents?${query}${search}`);
        expect(list.data).toEqual(expected);
        expect(list.pagination.total).toBe(expected.length);
      }
    },
  );

  it('shows the documents of one entity', async () => {
    const of = async (entityId: number) => (await idsAt(`entityId=${entityId}`)).length;
    expect([await of(customer.entityId), await of(other)]).toEqual([12, 11]);
    expect(await idsAt(`entityId=${demo.entityId}`)).toEqual([]);
  });
});
