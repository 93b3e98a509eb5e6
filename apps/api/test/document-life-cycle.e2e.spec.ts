import { DEMO_KEY, startApiService, type TestService } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { UNKNOWN_UUID } from './wire-values';

type Json = Record<string, unknown>;
type Id = { readonly id: number; readonly visibleId: string };

const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100, vatRate: 0 };

let service: TestService;
let entityId: number;
let viewerKey: string;

beforeAll(async () => {
  service = await startApiService();
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  entityId = Number((await ok('POST /clients/create', client, 201))['clientId']);
  viewerKey = String((await ok('POST /api-keys', { role: 'viewer', userName: 'Noa' }, 201))['key']);
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

function send(request: string, body?: unknown, key = DEMO_KEY): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  const headers = { authorization: `Bearer ${key}` };
  return exchange(service.url, {
    method,
    path,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

async function ok<T = Json>(request: string, body?: unknown, status = 200): Promise<T> {
  const answer = await send(request, body);
  expect({ request, status: answer.status, text: answer.text }).toMatchObject({ status });
  return JSON.parse(answer.text) as T;
}

const issue = (type: string, more: object = {}): Promise<Json & Id> =>
  ok(`POST /documents/create/${type}`, { entityId, items: [ITEM], ...more }, 201);
const receipt = (amount: number, more: object = {}): Promise<Json & Id> =>
  ok('POST /documents/create/receipt', { entityId, payments: [{ method: 'CASH', amount }], ...more }, 201);
const record = ({ id }: Id) => ok(`GET /documents/${id}`);
const allocate = (receiptId: number, ...allocations: { documentId: number; amount: number }[]) => ({
  receiptId,
  allocations,
});

describe('an action returns 200 with the document in its new state', () => {
  it('allocating returns the new allocations', async () => {
    const [a, b, paying] = [await issue('tax-invoice'), await issue('order'), await receipt(150)];
    const body = allocate(paying.id, { documentId: a.id, amount: 100 }, { documentId: b.id, amount: 20.5 });
    const answer = await ok('POST /documents/allocate', body);
    const { items: _, payments, linkedDocumentIds, creditedBy, coveredBy, ...rest } = await record(paying);
    const { withholding, entity, ...row } = rest;
    const ofTheRecord = [payments, linkedDocumentIds, creditedBy, coveredBy, withholding, entity];
    expect(ofTheRecord).not.toContain(undefined);
    expect(answer).toEqual({ success: true, ...row });
    expect(answer).toMatchObject({
      status: 'PARTIALLY_PAID',
      isOpen: true,
      remainingAmount: 29.5,
      coveredAmount: 120.5,
      allocations: [
        { documentId: a.id, visibleId: a.visibleId, type: 'TAX_INVOICE', number: a['number'], amount: 100 },
        { documentId: b.id, visibleId: b.visibleId, type: 'ORDER', number: b['number'], amount: 20.5 },
      ],
    });
    const again = await ok('POST /documents/allocate', allocate(paying.id, { documentId: b.id, amount: 1 }));
    expect(again['allocations']).toHaveLength(1);
    expect(await record(b)).toMatchObject({
      remainingAmount: 78.5,
      allocations: [
        { documentId: paying.id, amount: 20.5 },
        { documentId: paying.id, amount: 1 },
      ],
    });
  });

  it('closing works without a body or with an empty one, but only once', async () => {
    for (const body of [undefined, {}]) {
      const order = await issue('order');
      const closed = await ok(`POST /documents/close/${order.visibleId}`, body);
      expect(closed).toMatchObject({
        success: true,
        id: order.id,
        status: 'CLOSED',
        isOpen: false,
        remainingAmount: 100,
      });
      const again = await send(`POST /documents/close/${order.visibleId}`, body);
      expectError(again, { status: 409, code: 'INVALID_STATE' });
    }
  });

  it('cancelling stores its reason, and works only once', async () => {
    const invoice = await issue('tax-invoice');
    const paying = await receipt(100, { allocations: [{ documentId: invoice.id, amount: 100 }] });
    expect(await record(invoice)).toMatchObject({ status: 'PAID' });
    const path = `POST /documents/cancel/${paying.visibleId.toUpperCase()}`;
    expect(await ok(path, { reason: 'נרשם פעמיים' })).toMatchObject({
      success: true,
      status: 'CANCELLED',
      cancelled: true,
      cancellationReason: 'נרשם פעמיים',
    });
    expect(await record(invoice)).toMatchObject({ status: 'OPEN', remainingAmount: 100, allocations: [] });
    expectError(await send(path, { reason: 'x' }), { status: 409, code: 'INVALID_STATE' });
  });

  it.each(['tax-invoice', 'tax-invoice-receipt', 'quote', 'order', 'proforma', 'delivery-note'])(
    'cancelling a %s is refused, because it must be credited',
    async (type) => {
      const { visibleId } = await issue(type);
      const refused = await send(`POST /documents/cancel/${visibleId}`, { reason: 'x' });
      expectError(refused, { status: 409, code: 'INVALID_STATE' });
    },
  );

  it.each([
    ['close', {}],
    ['cancel', { reason: 'x' }],
    ['approval-number', { approvalNumber: '123456789' }],
  ])('%s of an unknown document is 404', async (action, body) => {
    for (const id of [UNKNOWN_UUID, 'abc', '1']) {
      expectError(await send(`POST /documents/${action}/${id}`, body), { status: 404, code: 'NOT_FOUND' });
    }
  });

  it('a viewer may do none of it', async () => {
    const invoice = await issue('tax-invoice');
    const actions: [string, object][] = [
      [`close/${invoice.visibleId}`, {}],
      [`cancel/${invoice.visibleId}`, { reason: 'x' }],
      ['allocate', allocate(1, { documentId: invoice.id, amount: 1 })],
      [`approval-number/${invoice.visibleId}`, { approvalNumber: '1' }],
    ];
    for (const [action, body] of actions) {
      const refused = await send(`POST /documents/${action}`, body, viewerKey);
      expectError(refused, { status: 403, code: 'FORBIDDEN' });
    }
    expect(await record(invoice)).toMatchObject({ status: 'OPEN', taxAuthorityApprovalNumber: null });
  });

  it('an allocation beyond the amount names its field, and changes nothing', async () => {
    const [invoice, paying] = [await issue('tax-invoice'), await receipt(500)];
    const body = allocate(paying.id, { documentId: invoice.id, amount: 100.01 });
    const refused = await send('POST /documents/allocate', body);
    expectError(refused, { status: 400, code: 'VALIDATION_FAILED', field: 'allocations[0].amount' });
    const twice = allocate(
      paying.id,
      { documentId: invoice.id, amount: 1 },
      { documentId: invoice.id, amount: 1 },
    );
    const field = 'allocations[1].documentId';
    expectError(await send('POST /documents/allocate', twice), {
      status: 400,
      code: 'VALIDATION_FAILED',
      field,
    });
    expect(await record(paying)).toMatchObject({ status: 'OPEN', remainingAmount: 500 });
  });
});

describe('a document that settles others when it is issued', () => {
  it('covers, credits and pays, and the settlements can be read', async () => {
    const quote = await issue('quote');
    const invoice = await issue('tax-invoice', { linkedDocumentIds: [quote.id] });
    const linked = ({ id, visibleId, type, number, issueDate, currency, totalWithTax }: Json) => ({
      ...{ documentId: id, visibleId, type, number, issueDate, currency, totalWithTax },
    });
    expect(await record(quote)).toMatchObject({ status: 'CLOSED', isOpen: false, remainingAmount: 0 });
    expect(await record(quote)).toMatchObject({ creditedBy: [], coveredBy: linked(await record(invoice)) });
    expect(await record(invoice)).toMatchObject({ status: 'OPEN', linkedDocumentIds: [quote.id] });
    const items = [{ ...ITEM, unitPrice: 30 }];
    const refund = await issue('refund', { items, refundOf: invoice.id });
    expect(refund).toMatchObject({ status: 'PAID' });
    expect(await record(refund)).toMatchObject({
      refundOf: invoice.id,
      remainingAmount: 0,
      coveredAmount: 30,
    });
    const paying = await receipt(70, { linkedDocumentIds: [invoice.id] });
    expect(paying).toMatchObject({ status: 'PAID' });
    expect(await record(invoice)).toMatchObject({
      status: 'CLOSED',
      coveredAmount: 100,
      allocations: [{ documentId: paying.id, amount: 70 }],
      creditedBy: [linked(await record(refund))],
      coveredBy: null,
    });
    const more = await send('POST /documents/create/return', {
      entityId,
      items: [{ ...ITEM, unitPrice: 70.01 }],
      refundOf: invoice.id,
    });
    expectError(more, { status: 400, code: 'VALIDATION_FAILED', field: 'refundOf' });
  });
});

describe('a preview', () => {
  const whole = async () => ({
    documents: await service.database.query('select count(*)::int from documents'),
    changes: await service.database.query('select * from document_change_counts order by company_id, bucket'),
    events: await service.database.query('select count(*)::int from outbox_events'),
    keys: await service.database.query('select count(*)::int from idempotency_keys'),
  });

  it('is the document as it would be issued, without number and ids, also for a viewer', async () => {
    const body = {
      entityId,
      externalId: 'previewed',
      issueDate: '2026-03-01',
      items: [{ ...ITEM, quantity: 1.5, vatRate: 18 }],
      notes: 'שלום',
    };
    const before = await whole();
    const answers = [];
    for (const key of [DEMO_KEY, viewerKey]) {
      const answer = await send('POST /documents/preview', { ...body, type: 'TAX_INVOICE' }, key);
      expect(answer.status).toBe(200);
      answers.push(JSON.parse(answer.text) as Json);
    }
    expect(await whole()).toEqual(before);
    expect(answers[1]).toEqual(answers[0]);
    const preview = answers[0]!;
    expect(preview).toMatchObject({
      success: true,
      number: null,
      totalWithTax: 177,
      status: 'OPEN',
      isOpen: true,
    });
    for (const field of ['id', 'visibleId', 'documentId', 'createdAt', 'updatedAt', 'changeNumber']) {
      expect(preview).not.toHaveProperty(field);
    }
    const issued = await record(await ok<Json & Id>('POST /documents/create/tax-invoice', body, 201));
    for (const [field, value] of Object.entries(preview)) {
      if (field !== 'success' && field !== 'number')
        expect({ [field]: issued[field] }).toEqual({ [field]: value });
    }
  });

  it('shows the effect of its links, and leaves the linked documents unchanged', async () => {
    const invoice = await issue('tax-invoice');
    const payments = [{ method: 'CASH', amount: 40 }];
    const body = {
      type: 'RECEIPT',
      entityId,
      payments,
      allocations: [{ documentId: invoice.id, amount: 40 }],
    };
    const before = await whole();
    expect(await ok('POST /documents/preview', body)).toMatchObject({ status: 'PAID', coveredAmount: 40 });
    expect(await whole()).toEqual(before);
    expect(await record(invoice)).toMatchObject({ status: 'OPEN', remainingAmount: 100 });
  });

  const refusals: [string, { code: string; field: string }, object][] = [
    ['no type', { code: 'VALIDATION_FAILED', field: 'type' }, { type: undefined }],
    ['a type in another spelling', { code: 'VALIDATION_FAILED', field: 'type' }, { type: 'tax-invoice' }],
    ['no items', { code: 'VALIDATION_FAILED', field: 'items' }, { items: [] }],
    ['an unknown entity', { code: 'UNKNOWN_REFERENCE', field: 'entityId' }, { entityId: 999_999 }],
    [
      'an unknown link',
      { code: 'UNKNOWN_REFERENCE', field: 'linkedDocumentIds[0]' },
      { linkedDocumentIds: [999_999] },
    ],
    [
      'a link of the wrong type',
      { code: 'VALIDATION_FAILED', field: 'allocations' },
      { allocations: [{ documentId: 1, amount: 1 }] },
    ],
  ];

  it.each(refusals)('is refused for the same reasons as the document: %s', async (_, refusal, more) => {
    for (const path of ['/documents/preview', '/documents/preview/html', '/documents/preview/pdf']) {
      const body = { type: 'TAX_INVOICE', entityId, items: [ITEM], ...more };
      expectError(await send(`POST ${path}`, body), { status: 400, ...refusal });
    }
  });

  it('ignores that an externalId is taken', async () => {
    await issue('order', { externalId: 'taken' });
    const body = { type: 'ORDER', entityId, items: [ITEM], externalId: 'taken' };
    expect(await ok('POST /documents/preview', body)).toMatchObject({ externalId: 'taken', number: null });
  });
});

describe('a preview as a page', () => {
  const page = (more: object = {}, key = DEMO_KEY) =>
    send('POST /documents/preview/html', { type: 'TAX_INVOICE', entityId, items: [ITEM], ...more }, key);

  it('is HTML that runs and loads nothing, and is not cached', async () => {
    const answer = await page({}, viewerKey);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'/,
    );
    expect(answer.text).toMatch(/^<!DOCTYPE html>/);
    expect(answer.text).toMatch(/<html lang="en" dir="ltr">/);
    expect(answer.text).toContain('100.00');
    expect(answer.text).toContain('Preview');
  });

  it('shows every text as text', async () => {
    const evil = '<script>alert(1)</script>"\'&<img src=x onerror=alert(1)>';
    const items = [{ ...ITEM, description: evil }];
    const { text } = await page({ items, notes: evil, externalId: '</title><script>' });
    expect(text).not.toMatch(/<script|<img/i);
    expect(text).toContain(
      '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img src=x onerror=alert(1)&gt;',
    );
  });

  it.each([
    ['a description', { items: [{ ...ITEM, description: 'שעות ייעוץ' }] }],
    ['notes', { notes: 'תודה' }],
  ])('is in Hebrew, right to left, if %s contains Hebrew', async (_, more) => {
    const { text } = await page(more);
    expect(text).toMatch(/<html lang="he" dir="rtl">/);
    expect(text).toContain('חשבונית מס');
  });
});

describe('an externalId of the maximum length', () => {
  it.each([
    ['64 letters', 'x'.repeat(64)],
    ['64 emoji', '😀'.repeat(64)],
    ['64 letters of Hebrew', 'ש'.repeat(64)],
    ['signs that paths are made of', '../a/b?c=d#e%2f;&'],
  ])('finds its document: %s', async (_, externalId) => {
    const { id } = await issue('order', { externalId });
    const path = `/documents/by-external-id/${encodeURIComponent(externalId)}`;
    expect(await ok(`GET ${path}`)).toMatchObject({ id, externalId });
  });
});

describe('the change feed over HTTP', () => {
  it('has total, pagination, nextCursor and hasMore, and the rows of the listing, without their entity', async () => {
    const { ownerKey } = await service.createCompany('Fresh');
    const as = async (request: string, body?: unknown) =>
      JSON.parse((await send(request, body, ownerKey)).text) as Json;
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const own = { entityId: (await as('POST /clients/create', client))['clientId'], items: [ITEM] };
    expect(await as('GET /documents?updatedSince=2020-01-01T00:00:00Z')).toEqual({
      data: [],
      total: 0,
      pagination: { total: 0, limit: 50, offset: 0, hasMore: false, page: 1, pageSize: 50, totalPages: 0 },
      nextCursor: null,
      hasMore: false,
    });
    for (let n = 0; n < 4; n++) await as('POST /documents/create/order', own);
    // Offset and page have no effect on the feed.
    const first = await as(
      'GET /documents?updatedSince=2020-01-01T02:00:00%2B02:00&pageSize=2&offset=3&page=7',
    );
    expect(first).toMatchObject({
      total: 4,
      pagination: { total: 4, limit: 2, offset: 0, hasMore: true, page: 1, pageSize: 2, totalPages: 2 },
      hasMore: true,
    });
    expect(Object.keys(first).sort()).toEqual(['data', 'hasMore', 'nextCursor', 'pagination', 'total']);
    const second = await as(`GET /documents?cursor=${String(first['nextCursor'])}&limit=2`);
    // The batch is full, but it is the last one.
    expect(second).toMatchObject({ total: 2, hasMore: false, pagination: { hasMore: false } });
    const third = await as(`GET /documents?cursor=${String(second['nextCursor'])}`);
    expect(third).toMatchObject({ data: [], total: 0, nextCursor: second['nextCursor'], hasMore: false });
    const listing = await as('GET /documents');
    const swept = [...(first['data'] as Json[]), ...(second['data'] as Json[])];
    const listed = (listing['data'] as Json[]).map(({ entity: _, ...row }) => row);
    expect(swept).toEqual(listed.reverse());
    const elsewhere = await send(`GET /documents?cursor=${String(first['nextCursor'])}`);
    expectError(elsewhere, { status: 400, code: 'INVALID_CURSOR' });
    const filtered = await send(
      `GET /documents?cursor=${String(first['nextCursor'])}&type=ORDER`,
      undefined,
      ownerKey,
    );
    expectError(filtered, { status: 400, code: 'INVALID_CURSOR' });

    const next = `GET /documents?cursor=${String(first['nextCursor'])}`;
    expect(await service.admin('epoch:renew')).toEqual({ renewed: true });
    expectError(await send(next, undefined, ownerKey), { status: 400, code: 'INVALID_CURSOR' });
  });
});
