import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { examplePath, isTaken, methodsByPath } from './api-routes';
import { type ExpectedError, expectError } from './error-body';
import { type Answer, closeConnections, exchange, exchangeBytes, type Sent } from './http-exchange';
import { wrongFields } from './wrong-fields';

const CLIENTS = '/clients/create';
const INVOICES = '/documents/create/tax-invoice';
const CLIENT = '"name":"Acme","taxId":"514000000","type":"COMPANY"';
const ITEM = '{"description":"Consulting","quantity":1,"unitPrice":1}';
const MIB = 1024 * 1024;

const invalid: ExpectedError = { status: 400, code: 'VALIDATION_FAILED' };
const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
const notAllowed: ExpectedError = { status: 405, code: 'METHOD_NOT_ALLOWED' };
const tooLarge: ExpectedError = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
const notJson: ExpectedError = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
const noKey: ExpectedError = { status: 401, code: 'UNAUTHENTICATED' };

let service: TestService;
const send = (sent: Sent): Promise<Answer> => exchange(service.url, sent);
const post = (path: string, body: string | Buffer): Promise<Answer> => send({ method: 'POST', path, body });

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
  expect((await post(CLIENTS, `{${CLIENT}}`)).status).toBe(201);
});

/** Whatever was sent before, nothing of it was a fault of ours, and the service goes on. */
afterAll(async () => {
  try {
    expect((await send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
    expect((await post(CLIENTS, `{${CLIENT}}`)).status).toBe(201);
    const entries = service.api.log.split('\n').slice(0, -1);
    const faults = entries.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
    expect(faults).toEqual([]);
    expect(entries.length).toBeGreaterThan(1);
  } finally {
    closeConnections();
    await service.stop();
  }
});

describe('a path or a method that is not served', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
  const wrong = methodsByPath().flatMap(([path, methods]) =>
    METHODS.filter((method) => !isTaken(method, examplePath(path))).map((method) => ({
      method,
      path,
      methods,
    })),
  );

  it.each(wrong)('$method $path is 405 and says what is allowed', async ({ method, path, methods }) => {
    const answer = await send({ method, path: examplePath(path) });
    expectError(answer, notAllowed);
    expect(answer.headers.allow).toBe(methods.join(', '));
  });

  it.each([
    ['GET', '/'],
    ['GET', '/nothing'],
    ['POST', '/nothing'],
    ['DELETE', '/nothing/at/all'],
    ['GET', '/documents/'],
    ['GET', '/documents/id/'],
    ['GET', '/documents/id/1/2'],
    ['GET', '//documents'],
    ['GET', '/DOCUMENTS'],
    ['GET', '/documents;x=1'],
    ['GET', '/documents/../company'],
    ['GET', '/%64ocuments/%2e%2e/%2e%2e/etc/passwd'],
    ['GET', '/docs/../../package.json'],
    ['GET', '/docs/%2e%2e/%2e%2e/package.json'],
    ['GET', '/docs/..%2f..%2fpackage.json'],
    ['GET', '/.env'],
    ['GET', '/%00'],
    ['GET', '/nothing?%00'],
    ['POST', '/documents/create/'],
    ['POST', '/documents/create/nonsense'],
    ['POST', '/documents/create/__proto__'],
    ['POST', '/documents/create/SUPPLIER_INVOICE'],
    ['GET', '/documents/id/abc'],
    ['GET', '/documents/id/00000000-0000-0000-0000-00000000000g'],
    ['GET', '/documents/id/00000000-0000-4000-8000-000000000000'],
    ['GET', '/documents/999999'],
    ['GET', '/products/id/'],
    ['GET', '/products/id/999999'],
    ['GET', '/products/id/999999/serials'],
    ['GET', '/products/id/00000000-0000-4000-8000-000000000000'],
    ['GET', '/products/id/00000000-0000-4000-8000-000000000000/serials'],
    ['GET', '/products/id/1/serials/1'],
    ['PUT', '/products/edit/abc'],
    ['PUT', '/products/edit/1'],
    ['PUT', '/products/edit/00000000-0000-4000-8000-000000000000'],
    ['GET', '/clients/id/abc'],
    ['GET', '/clients/id/00000000-0000-4000-8000-000000000000'],
    ['GET', '/clients/1'],
    ['GET', '/vendors/1'],
    ['GET', '/vendors/id/'],
    ['GET', '/vendors/id/abc/pricelist'],
    ['GET', '/vendors/id/1/pricelist/quote?productId=1&quantity=1'],
    ['GET', '/vendors/id/00000000-0000-4000-8000-000000000000/pricelist/'],
    ['GET', '/vendors/pricelist?entityId=999999'],
    ['GET', '/custom-fields/'],
    ['GET', '/custom-fields/1'],
    ['PUT', '/custom-fields/edit/1'],
    ['DELETE', '/custom-fields/1'],
    ['POST', '/custom-fields/create'],
    ['GET', '/document-execution-statuses/1'],
    ['DELETE', '/document-execution-statuses/1'],
    ['POST', '/document-execution-statuses/create'],
    ['GET', '/reports'],
    ['GET', '/reports/documents'],
    ['GET', '/reports/documents/saved/'],
    ['GET', '/reports/documents/saved/1'],
    ['DELETE', '/reports/documents/saved/1'],
    ['POST', '/reports/documents/saved/create'],
    ['DELETE', '/retainers/'],
    ['DELETE', '/retainers/0'],
    ['DELETE', '/retainers/999999'],
    ['GET', '/retainers/1/documents'],
    ['PUT', '/retainers/edit/1'],
    ['POST', '/retainers/create/'],
    ['GET', '/gateway'],
    ['DELETE', '/gateway/tokens/'],
    ['DELETE', '/gateway/tokens/0'],
    ['DELETE', '/gateway/tokens/999999'],
    ['PUT', '/gateway/tokens/edit/1'],
    ['GET', '/gateway/charges/'],
    ['GET', '/gateway/charges/0'],
    ['GET', '/gateway/charges/999999'],
    ['GET', '/gateway/charges/1/refunds'],
    ['POST', '/gateway/charges/999999/capture'],
    ['POST', '/gateway/charges/999999/cancel'],
    ['POST', '/gateway/charges/999999/refund'],
    ['POST', '/gateway/charges/999999/void'],
    ['GET', '/gateway/payments'],
    ['GET', '/gateway/payments/payment-pages/1'],
    ['DELETE', '/gateway/payments/payment-pages/1'],
    ['GET', '/gateway/payment-pages'],
    ['DELETE', '/gateway/recurring-payments/'],
    ['DELETE', '/gateway/recurring-payments/0'],
    ['DELETE', '/gateway/recurring-payments/999999'],
    ['GET', '/gateway/sandbox/pages'],
    ['GET', '/gateway/sandbox/pages/'],
    ['GET', '/gateway/sandbox/pages/1'],
    ['GET', "/gateway/sandbox/pages/'%20or%201=1--"],
    ['GET', '/gateway/sandbox/pages/%F0%9F%98%80'],
    ['GET', '/gateway/sandbox/pages/..%2f..%2fcharges'],
    ['GET', `/gateway/sandbox/pages/${'x'.repeat(200)}`],
    ['POST', '/gateway/sandbox/pages//pay'],
    ['GET', '/files/'],
    ['GET', '/files/1'],
    ['DELETE', '/files/1'],
    ['PUT', '/files/1'],
    ['GET', '/files/999999/content'],
    ['GET', '/files/1/content/1'],
    ['GET', '/files/../files/1'],
    ['POST', '/files/create'],
    ['POST', '/files/upload/'],
    ['GET', '/warehouses/'],
    ['GET', '/warehouses/1'],
    ['DELETE', '/warehouses/1'],
    ['GET', '/inventory/'],
    ['GET', '/inventory/1'],
    ['GET', '/inventory/id/1'],
    ['DELETE', '/inventory/1'],
    ['PUT', '/inventory/edit/'],
    ['PUT', '/inventory/edit/0'],
    ['PUT', '/inventory/edit/999999'],
    ['PUT', '/inventory/edit/1/2'],
    ['GET', '/inventory/movements/'],
    ['GET', '/inventory/movements/1'],
    ['PUT', '/inventory/movements/1'],
    ['PUT', '/inventory/movements/edit/1'],
    ['PATCH', '/inventory/movements/1'],
    ['DELETE', '/inventory/movements/1'],
    ['DELETE', '/inventory/movements/delete/1'],
    ['POST', '/inventory/movements/create/'],
    ['POST', '/inventory/movements/create/1'],
    ['GET', '/exchange-rates/'],
    ['GET', '/exchange-rates/1'],
    ['PUT', '/exchange-rates/1'],
    ['DELETE', '/exchange-rates/1'],
    ['POST', '/exchange-rates/create'],
    ['GET', '/expenses/'],
    ['GET', '/expenses/1'],
    ['GET', '/expenses/extract-from-file'],
    ['GET', '/expenses/extract-from-file/'],
    ['GET', '/expenses/extract-from-file/0'],
    ['GET', '/expenses/extract-from-file/999999'],
    ['GET', '/expenses/extract-from-file/1/2'],
    ['GET', '/expenses/extract-from-url/1'],
    ['GET', '/expenses/id/'],
    ['GET', '/expenses/id/1/2'],
    ['PUT', '/expenses/edit/'],
    ['PUT', '/expenses/edit/0'],
    ['PUT', '/expenses/edit/999999'],
    ['PUT', '/expenses/1'],
    ['DELETE', '/expenses/1'],
    ['DELETE', '/expenses/delete/0'],
    ['DELETE', '/expenses/delete/999999'],
    ['POST', '/expenses/create/1'],
    ['GET', '/purchase/'],
    ['GET', '/purchase/1'],
    ['GET', '/purchase/id/1'],
    ['GET', '/purchase/id/abc'],
    ['GET', '/purchase/id/00000000-0000-4000-8000-000000000000'],
    ['PUT', '/purchase/edit/00000000-0000-4000-8000-000000000000'],
    ['DELETE', '/purchase/delete/00000000-0000-4000-8000-000000000000'],
    ['DELETE', '/purchase/1'],
    ['POST', '/documents/close/abc'],
    ['POST', '/documents/close/1'],
    ['POST', '/documents/close/00000000-0000-4000-8000-000000000000'],
    ['POST', '/documents/create/preview'],
    ['POST', '/documents/preview/pdf'],
    ['GET', '/documents/00000000-0000-4000-8000-000000000000'],
    ['DELETE', '/webhooks/we_000000000000000000000000'],
    ['DELETE', "/webhooks/'%20or%201=1--"],
    ['DELETE', '/webhooks/%F0%9F%98%80'],
    ['GET', '/webhooks/we_'],
    ['GET', `/webhooks/${'x'.repeat(200)}`],
    ['GET', '/webhooks/..%2f..%2fcompany'],
    ['PUT', '/webhooks/event-types'],
    ['POST', '/webhooks/event-types/pause'],
    ['POST', "/webhooks/'%20or%201=1--/resume"],
    ['POST', '/gateway/webhooks/%F0%9F%98%80/test'],
    ['GET', '/webhooks/we_000000000000000000000000/deliveries/999999999999999'],
    ['GET', '/webhooks/we_000000000000000000000000/replays/0'],
    ['GET', '/webhooks/1/2'],
    ['DELETE', '/api-keys/999999'],
  ])('%s %s is 404', async (method, path) => {
    const body = path.startsWith('/documents/create/') ? `{"entityId":1,"items":[${ITEM}]}` : undefined;
    expectError(await send({ method, path, body }), notFound);
  });

  it('tells an unknown path before it looks at the body', async () => {
    expectError(await post('/nothing', '{"a":'), notFound);
    expectError(await post('/nothing', Buffer.alloc(2 * MIB, 'a')), notFound);
    expectError(await post('/company', '{"a":'), notAllowed);
  });
});

describe('a path that is malformed', () => {
  const ids = [
    '1e9',
    '-1',
    '+1',
    '0x10',
    '1.5',
    'abc',
    'NaN',
    'null',
    '%20',
    '1%20',
    '%2e%2e',
    '%2e%2e%2f%2e%2e',
    '%2F',
    '99999999999999999999',
    '9007199254740993',
    '%D9%A1%D9%A2',
    '%EF%BC%91',
    "1'--",
    '1;drop',
    '[object%20Object]',
    '%zz',
    '%',
    '%C0%80',
    '%ED%A0%80',
    '%FF',
    '%00',
    '1%00',
    'a'.repeat(200),
    '9'.repeat(10_000),
  ];

  it.each(ids.map((id) => [id.slice(0, 40), id]))('GET /documents/%s is 400', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/documents/${id}` }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('GET /products/id/%s is 400', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/products/id/${id}` }), invalid);
    expectError(await send({ method: 'GET', path: `/products/id/${id}/serials` }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('GET /files/%s/content is 400', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/files/${id}/content` }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('PUT /inventory/edit/%s is 400', async (_, id) => {
    const body = '{"lowStockThreshold":1}';
    expectError(await send({ method: 'PUT', path: `/inventory/edit/${id}`, body }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('and so is /expenses/…/%s', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/expenses/id/${id}` }), invalid);
    expectError(await send({ method: 'GET', path: `/expenses/extract-from-file/${id}` }), invalid);
    expectError(await send({ method: 'PUT', path: `/expenses/edit/${id}`, body: '{"title":"x"}' }), invalid);
    expectError(await send({ method: 'DELETE', path: `/expenses/delete/${id}` }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('DELETE /retainers/%s is 400', async (_, id) => {
    expectError(await send({ method: 'DELETE', path: `/retainers/${id}` }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('DELETE /api-keys/%s is 400', async (_, id) => {
    expectError(await send({ method: 'DELETE', path: `/api-keys/${id}` }), invalid);
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('and so is /webhooks/…/%s', async (_, id) => {
    const endpoint = '/webhooks/we_000000000000000000000000';
    const one = `${endpoint}/deliveries/${id}`;
    expectError(await send({ method: 'GET', path: one }), invalid);
    expectError(await send({ method: 'POST', path: `${one}/replay` }), invalid);
    expectError(await send({ method: 'GET', path: `${endpoint}/replays/${id}` }), invalid);
  });

  it.each(['/%zz', '/documents/id/%zz', '/%', '/%C0%80', '/documents?search=%00', '/documents?%00=1'])(
    'GET %s is 400',
    async (path) => expectError(await send({ method: 'GET', path }), invalid),
  );
});

describe('a query', () => {
  it.each([
    ['type', 'type='],
    ['type', 'type=x'],
    ['type', 'type=tax-invoice'],
    ['type', 'type=TAX_INVOICE&type=RECEIPT'],
    ['type', 'type=%zz'],
    ['type', 'type=%ED%A0%80'],
    ['status', 'status=x'],
    ['status', 'status='],
    ['status', 'status=open'],
    ['status', 'status=OPEN&status=OPEN'],
    ['startDate', 'startDate=2026-02-30'],
    ['startDate', 'startDate='],
    ['startDate', 'startDate=yesterday'],
    ['startDate', 'startDate=2026-01-01&startDate=2026-01-02'],
    ['endDate', 'endDate=2026-1-5'],
    ['endDate', 'endDate=2026-11-21T00:00:00Z'],
    ['entityId', 'entityId=abc'],
    ['entityId', 'entityId='],
    ['entityId', 'entityId=-1'],
    ['entityId', 'entityId=1.5'],
    ['entityId', 'entityId=1e9'],
    ['entityId', 'entityId=99999999999999999999'],
    ['entityId', 'entityId=1&entityId=2'],
    ['entityId', `entityId=${'9'.repeat(5_000)}`],
    ['search', 'search=a&search=b'],
    ['search', `search=${'x'.repeat(201)}`],
  ])('with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/documents?${query}` }), { ...invalid, field });
  });

  it.each([
    ['isActive', 'isActive='],
    ['isActive', 'isActive=1'],
    ['isActive', 'isActive=TRUE'],
    ['isActive', 'isActive=yes'],
    ['isActive', 'isActive=true&isActive=true'],
    ['isActive', 'isActive=%zz'],
    ['search', 'search=a&search=b'],
    ['search', `search=${'x'.repeat(201)}`],
  ])('of products with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/products?${query}` }), { ...invalid, field });
  });

  const wrongIds = (field: string): [field: string, query: string][] => [
    [field, `${field}=`],
    [field, `${field}=abc`],
    [field, `${field}=-1`],
    [field, `${field}=+1`],
    [field, `${field}=1.5`],
    [field, `${field}=1e3`],
    [field, `${field}=0x1`],
    [field, `${field}=%201`],
    [field, `${field}=1%20`],
    [field, `${field}=%D9%A1`],
    [field, `${field}=true`],
    [field, `${field}=null`],
    [field, `${field}=%zz`],
    [field, `${field}=99999999999999999999`],
    [field, `${field}=9007199254740993`],
    [field, `${field}=1&${field}=1`],
    [field, `${field}=${'9'.repeat(5_000)}`],
  ];

  it.each([...wrongIds('productId'), ...wrongIds('warehouseId')])(
    'of stock records with a malformed %s is 400: ?%s',
    async (field, query) => {
      expectError(await send({ method: 'GET', path: `/inventory?${query}` }), { ...invalid, field });
    },
  );

  it.each([
    ...wrongIds('inventoryId'),
    ['movementType', 'movementType='],
    ['movementType', 'movementType=add'],
    ['movementType', 'movementType=ADD%20'],
    ['movementType', 'movementType=x'],
    ['movementType', 'movementType=__proto__'],
    ['movementType', 'movementType=ADD,SUBTRACT'],
    ['movementType', 'movementType=ADD&movementType=ADD'],
    ['movementType', 'movementType=%zz'],
    ['reason', 'reason=a&reason=b'],
    ['reason', `reason=${'x'.repeat(201)}`],
  ])('of movements with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/inventory/movements?${query}` }), { ...invalid, field });
  });

  it.each([
    ['currency', 'currency='],
    ['currency', 'currency=usd'],
    ['currency', 'currency=ZZZ'],
    ['currency', 'currency=USD&currency=EUR'],
    ['currency', 'currency=USD,EUR'],
    ['currency', 'currency=%zz'],
    ['startDate', 'startDate='],
    ['startDate', 'startDate=2026-02-30'],
    ['startDate', 'startDate=2026-01-01&startDate=2026-01-02'],
    ['endDate', 'endDate=2026-1-5'],
    ['endDate', 'endDate=2026-11-21T00:00:00Z'],
    ['endDate', 'endDate=today'],
  ])('of exchange rates with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/exchange-rates?${query}` }), { ...invalid, field });
  });

  const wrongOfCosts: [field: string, query: string][] = [
    ...wrongIds('vendorId'),
    ['startDate', 'startDate='],
    ['startDate', 'startDate=2026-02-30'],
    ['startDate', 'startDate=yesterday'],
    ['startDate', 'startDate=2026-01-01&startDate=2026-01-02'],
    ['endDate', 'endDate=2026-1-5'],
    ['endDate', 'endDate=2026-11-21T00:00:00Z'],
    ['endDate', 'endDate=%zz'],
  ];

  it.each(wrongOfCosts)('of supplier invoices with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/purchase?${query}` }), { ...invalid, field });
  });

  it.each([
    ...wrongOfCosts,
    ['include', 'include='],
    ['include', 'include=ALL'],
    ['include', 'include=all%20'],
    ['include', 'include=none'],
    ['include', 'include=true'],
    ['include', 'include=__proto__'],
    ['include', 'include=all&include=all'],
    ['include', 'include[]=all&include=x'],
    ['search', 'search=a&search=b'],
    ['search', `search=${'x'.repeat(201)}`],
  ])('of expenses with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/expenses?${query}` }), { ...invalid, field });
  });

  it.each([
    ['MISSING_URL', ''],
    ['MISSING_URL', 'url='],
    ['MISSING_URL', 'filename=a.pdf'],
    ['VALIDATION_FAILED', 'url=https://a.example/&url=https://b.example/'],
    ['MISSING_URL', 'url[]=https://a.example/'],
    ['VALIDATION_FAILED', `url=https://a.example/${'x'.repeat(2_048)}`],
    ['VALIDATION_FAILED', 'url=https://a.example/&filename=a.pdf&filename=b.pdf'],
    ['VALIDATION_FAILED', `url=https://a.example/&filename=${'x'.repeat(252)}.pdf`],
    ['URL_NOT_ALLOWED', 'url=x'],
    ['URL_NOT_ALLOWED', 'url=%20'],
    ['URL_NOT_ALLOWED', 'url=file:///etc/passwd'],
    ['URL_NOT_ALLOWED', 'url=http://10.0.0.1/a.pdf'],
    ...[
      'a',
      'a.exe',
      'pdf',
      '.',
      'a.',
      'a.pdf.exe',
      'a.pdf%20x',
      '',
      'a.constructor',
      'a.doc',
      'a.gif',
      'a.svg',
    ].map((name) => ['UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION', `url=https://a.example/&filename=${name}`]),
  ])('of what is to be extracted from a url is 400 %s: ?%s', async (code, query) => {
    const answer = await send({ method: 'GET', path: `/expenses/extract-from-url?${query}` });
    expectError(answer, { status: 400, code: code });
  });

  it.each([
    ['state', 'state='],
    ['state', 'state=open'],
    ['state', 'state=DELIVERED'],
    ['state', 'state=pending&state=waiting'],
    ['eventType', 'eventType='],
    ['eventType', 'eventType=*'],
    ['eventType', 'eventType=document.created&eventType=charge.failed'],
    ['eventId', 'eventId='],
    ['eventId', 'eventId=a&eventId=b'],
    ['eventId', `eventId=${'x'.repeat(65)}`],
    ['since', 'since='],
    ['since', 'since=yesterday'],
    ['since', 'since=2026-02-30'],
    ['since', 'since=2026-01-01&since=2026-01-02'],
    ['until', 'until=1763710000'],
    ['until', 'until=2026-11-21T10:00:00'],
    ['until', `until=${'9'.repeat(5_000)}`],
  ])('of deliveries with a malformed %s is 400: ?%s', async (field, query) => {
    const path = `/webhooks/we_000000000000000000000000/deliveries?${query}`;
    expectError(await send({ method: 'GET', path }), { ...invalid, field });
  });

  it.each([
    ['INVALID_CURSOR', 'cursor='],
    ['INVALID_CURSOR', 'cursor=abc'],
    ['INVALID_CURSOR', 'cursor=a&cursor=b'],
    ['INVALID_CURSOR', 'cursor=%F0%9F%98%80'],
    ['INVALID_CURSOR', 'cursor=abc&updatedSince=2026-01-01T00:00:00Z'],
    ['INVALID_CURSOR', `cursor=${'A'.repeat(5_000)}`],
    ['INVALID_UPDATED_SINCE', 'updatedSince='],
    ['INVALID_UPDATED_SINCE', 'updatedSince=yesterday'],
    ['INVALID_UPDATED_SINCE', 'updatedSince=2026-13-01'],
    ['INVALID_UPDATED_SINCE', 'updatedSince=1763710000'],
    ['INVALID_UPDATED_SINCE', 'updatedSince=2026-11-21T10:00:00'],
    ['INVALID_UPDATED_SINCE', 'updatedSince=2026-11-21T10:00:00+02:00'],
    ['INVALID_UPDATED_SINCE', 'updatedSince=2026-01-01T00:00:00Z&updatedSince=2026-01-01T00:00:00Z'],
  ])('with a malformed place in the feed is %s, and no listing: ?%s', async (code, query) => {
    expectError(await send({ method: 'GET', path: `/documents?${query}` }), { status: 400, code });
  });

  it.each([
    'type[$ne]=x',
    'type%5B%24ne%5D=x',
    '__proto__[type]=x',
    'constructor=1',
    'hasOwnProperty=1',
    '__proto__=1',
    'unknown=1',
    '&&&',
    '=',
    '%zz',
  ])('that names nothing we know is ignored: ?%s', async (query) => {
    expect((await send({ method: 'GET', path: `/documents?${query}` })).status).toBe(200);
  });

  const rubbish = [
    'limit=abc',
    'limit=0',
    'limit=-5',
    'limit=1e9',
    'limit=',
    'limit=1e400',
    'limit=NaN&page=NaN',
    'pageSize=0x10',
    'pageSize=99999999999999999999999',
    'page=0',
    'page=-1',
    'page=1e300',
    'page=99999999999999999999',
    'offset=-5',
    'offset=1e300',
    'offset=9223372036854775808',
    'offset=1.5',
    'limit=1&limit=2&offset=x&page=y',
    'limit[]=5&offset[a]=1',
    'limit=%zz',
    "limit=1;drop%20table&offset='",
  ];
  const lists = [
    '/documents',
    '/vendors',
    '/clients',
    '/addresses',
    '/contacts',
    '/products',
    '/inventory',
    '/inventory/movements',
    '/exchange-rates',
    '/expenses',
    '/webhooks',
    '/gateway/webhooks',
    '/api-keys',
  ];
  it.each(lists)('of rubbish pages %s all the same', async (list) => {
    for (const query of rubbish) {
      const answer = await send({ method: 'GET', path: `${list}?${query}` });
      expect({ query, status: answer.status }).toEqual({ query, status: 200 });
      const { limit, pageSize, offset, page } = JSON.parse(answer.text).pagination;
      expect({ query, sane: limit >= 1 && limit <= 200 && offset >= 0 && page >= 1 }).toEqual({
        query,
        sane: true,
      });
      expect(pageSize).toBe(limit);
    }
  });
});

describe('a body that is not a JSON object', () => {
  it.each<[string, string | Buffer]>([
    ['a truncated object', '{"name":"Acme"'],
    ['half a text', '{"name":"Ac'],
    ['a comma too many', '{"name":"Acme",}'],
    ['a comma too many in a list', '{"items":[1,]}'],
    ['single quotes', "{'name':'Acme'}"],
    ['keys without quotes', '{name:"Acme"}'],
    ['NaN', '{"total":NaN}'],
    ['Infinity', '{"total":-Infinity}'],
    ['undefined', '{"total":undefined}'],
    ['hexadecimal', '{"total":0x10}'],
    ['a leading zero', '{"total":01}'],
    ['a leading plus', '{"total":+1}'],
    ['a point without digits', '{"total":1.}'],
    ['a comment', '{"a":1/* */}'],
    ['two values', '{}{}'],
    ['something after it', '{} x'],
    ['a raw line break in a text', '{"name":"a\nb"}'],
    ['a raw NUL in a text', '{"name":"a\0b"}'],
    ['a raw NUL after it', '{}\0'],
    ['an unknown escape', '{"name":"\\x41"}'],
    ['XML', '<name>Acme</name>'],
    ['a form', 'name=Acme&taxId=1'],
    ['white space', ' \n '],
    ['two BOMs', '\ufeff\ufeff{}'],
    ['UTF-16', Buffer.from(`\ufeff{${CLIENT}}`, 'utf16le')],
    ['Latin-1', Buffer.from('{"name":"Café"}', 'latin1')],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['overlong UTF-8', Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ['null', 'null'],
    ['a list', '[]'],
    ['a list of objects', `[{${CLIENT}}]`],
    ['a text', '"x"'],
    ['an empty text', '""'],
    ['a number', '5'],
    ['a number too large', '1e309'],
    ['true', 'true'],
    ['nothing', ''],
    ['an empty object', '{}'],
    ['__proto__', `{${CLIENT},"__proto__":{"admin":true}}`],
    ['__proto__ in disguise', `{${CLIENT},"\\u005f_proto__":{"admin":true}}`],
    ['__proto__ further in', `{${CLIENT},"a":[{"__proto__":{}}]}`],
    ['constructor.prototype', `{${CLIENT},"constructor":{"prototype":{"admin":true}}}`],
    ['NUL in a text', `{${CLIENT},"email":"a\\u0000@b.c"}`],
    ['NUL in an unknown field', `{${CLIENT},"other":{"a":["b\\u0000"]}}`],
    ['NUL in a key', `{${CLIENT},"a\\u0000":1}`],
    ['NUL in a key further in', `{${CLIENT},"a":[{"\\u0000":1}]}`],
    ['half a surrogate pair', `{${CLIENT},"email":"\\ud83d@b.c"}`],
    ['half a surrogate pair in a key', `{${CLIENT},"\\udc00":1}`],
    ['50,000 levels of lists', `{${CLIENT},"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['50,000 levels of objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['50,000 levels never closed', '['.repeat(50_000)],
    ['50,000 unknown keys', `{${CLIENT},${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join()}}`],
    ['a key of 900,000 characters over NUL', `{"${'k'.repeat(900_000)}":"\\u0000"}`],
  ])('is 400: %s', async (_, body) => {
    expectError(await post(CLIENTS, body), invalid);
  });

  it.each<[string, string]>([
    ['500,000 entries', `{"entityId":1,"items":[${'0,'.repeat(499_999)}0]}`],
    ['300,000 empty items', `{"entityId":1,"items":[${'{},'.repeat(299_999)}{}]}`],
    ['1,001 items', `{"entityId":1,"items":[${Array.from({ length: 1_001 }, () => ITEM).join()}]}`],
    ['1,000 items with everything wrong', `{"entityId":1,"items":[${'{},'.repeat(999)}{}]}`],
    ['101 payments', `{"entityId":1,"items":[${ITEM}],"payments":[${'{},'.repeat(100)}{}]}`],
  ])('is refused quickly, in few words: %s', async (_, body) => {
    const started = Date.now();
    expectError(await post(INVOICES, body), invalid);
    expect(Date.now() - started).toBeLessThan(2_000);
  });

  it.each<[string, string | Buffer]>([
    ['a BOM', `\ufeff{${CLIENT}}`],
    ['the last of two equal keys', `{${CLIENT},"name":"Second"}`],
    ['white space around it', ` \r\n\t{${CLIENT}} \n`],
    [
      'keys that objects have by nature',
      `{${CLIENT},"constructor":5,"hasOwnProperty":1,"toString":2,"then":3}`,
    ],
    ['such keys further in', `{${CLIENT},"a":{"constructor":5,"then":"x"},"b":[{"constructor":"y"}]}`],
    ['unknown fields, which are ignored', `{${CLIENT},"id":77,"companyId":2,"other":{"a":[1,{"b":null}]}}`],
    ['null for what may be left out', `{${CLIENT},"email":null,"phoneNumber":null,"entityId":null}`],
    ['Hebrew and emoji', '{"name":"חברה 😀","taxId":"1","type":"PATOOR"}'],
  ])('is what is refused; taken is %s', async (_, body) => {
    expect((await post(CLIENTS, body)).status).toBe(201);
  });
});

describe('a field', () => {
  const rows = wrongFields();
  const named = rows.map((row) => ({ ...row, shown: row.literal?.slice(0, 40) ?? 'left out' }));

  it.each(named)('$field of $body is refused as $shown', async ({ method, path, field, sent }) => {
    expectError(await send({ method, path, body: sent }), { ...invalid, field });
  });

  it.each([
    ['entityId', `{"entityId":999999,"items":[${ITEM}]}`],
    ['entityId', `{"entityId":9007199254740991,"items":[${ITEM}]}`],
    ['items[1].productId', `{"entityId":1,"items":[${ITEM},${ITEM.replace('{', '{"productId":1,')}]}`],
    ['retainerId', `{"entityId":1,"items":[${ITEM}],"retainerId":1}`],
    ['linkedDocumentIds[0]', `{"entityId":1,"items":[${ITEM}],"linkedDocumentIds":[999999]}`],
  ])('%s that refers to nothing is named as such', async (field, body) => {
    expectError(await post(INVOICES, body), { status: 400, code: 'UNKNOWN_REFERENCE', field });
  });

  it.each([
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://0x7f.2/',
    'https://2130706434/',
    'https://[::ffff:10.0.0.1]/',
  ])('url that names a forbidden address is refused: %s', async (url) => {
    const answer = await post('/webhooks', JSON.stringify({ url, events: ['*'] }));
    expectError(answer, { status: 400, code: 'URL_NOT_ALLOWED' });
  });
});

describe('a body that is too large', () => {
  const large = Buffer.alloc(2 * MIB, 'a');

  it('is 413, with a Content-Length', async () => {
    expectError(await post(INVOICES, large), tooLarge);
  });

  it.each([
    ['with a Content-Length', `Content-Length: ${large.length}`, []],
    ['in chunks without one', 'Transfer-Encoding: chunked', ['0\r\n\r\n']],
  ])('is 413 also for a caller that reads only when all is sent, %s', async (_, header, last) => {
    const head = `POST ${INVOICES} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;
    const parts = Array.from({ length: 32 }, (__, n) => large.subarray(n * 65_536, (n + 1) * 65_536));
    const chunks = last.length > 0 ? parts.flatMap((part) => ['10000\r\n', part, '\r\n']) : parts;
    expectError(await exchangeBytes(service.url, [head, ...chunks, ...last], { pauseMs: 2 }), tooLarge);
  });

  it('is taken up to 1 MiB', async () => {
    const padding = ' '.repeat(MIB - CLIENT.length - 2);
    expect((await post(CLIENTS, `{${CLIENT}${padding}}`)).status).toBe(201);
    expectError(await post(CLIENTS, `{${CLIENT}${padding} }`), tooLarge);
  });
});

describe('a content type', () => {
  it.each([
    ['text/plain'],
    ['text/json'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['application/jsonx'],
    ['application/json-patch+json'],
    ['application/problem+json'],
    ['application/octet-stream'],
    ['nonsense'],
    ['/'],
    [''],
    [null],
  ])('that is not JSON is 415: %s', async (type) => {
    const headers = { 'content-type': type };
    expectError(await send({ method: 'POST', path: CLIENTS, headers, body: `{${CLIENT}}` }), notJson);
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/json; charset=iso-8859-1',
    'application/json; profile="x"',
  ])('that is JSON is read as UTF-8, whatever else it says: %s', async (type) => {
    const headers = { 'content-type': type };
    const body = `{${CLIENT.replace('Acme', 'Café')}}`;
    expect((await send({ method: 'POST', path: CLIENTS, headers, body })).status).toBe(201);
    const latin1 = Buffer.from(body, 'latin1');
    expectError(await send({ method: 'POST', path: CLIENTS, headers, body: latin1 }), invalid);
  });

  it('is asked of a body that comes with a DELETE as well', async () => {
    const headers = { 'content-type': 'text/plain' };
    expectError(await send({ method: 'DELETE', path: '/api-keys/1', headers, body: 'x' }), notJson);
  });
});

describe('a request id', () => {
  it.each([
    ['500 characters', 'a'.repeat(500)],
    ['129 characters', 'a'.repeat(129)],
    ['a space', 'a b'],
    ['nothing', ''],
    ['markup', '<script>'],
    ['quotes', '"},{"x":"'],
    ['non-ASCII', 'é'],
    ['a tab', 'a\tb'],
  ])('that is not sane is replaced: %s', async (_, id) => {
    const answer = await send({ method: 'GET', path: '/nothing', headers: { 'x-request-id': id } });
    expectError(answer, notFound);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('that is sane is in the answer, in the error body and in the log', async () => {
    const id = `check:${'x'.repeat(100)}_1.2-3`;
    const headers = { 'x-request-id': id };
    const refused = await send({ method: 'GET', path: '/documents/abc', headers });
    expectError(refused, invalid);
    expect(refused.headers['x-request-id']).toBe(id);
    const served = await send({ method: 'GET', path: '/documents', headers });
    expect(served.headers['x-request-id']).toBe(id);
    const lines = () => service.api.log.split('\n').filter((line) => line.includes(`"requestId":"${id}"`));
    await until('both requests to be logged', () => lines().length === 2);
  });

  it('is never the same for two requests that bring none', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send({ method: 'GET', path: '/health/live' })));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });
});

describe('an Authorization header', () => {
  it.each([
    ['missing', null],
    ['empty', ''],
    ['Basic', 'Basic c2s6eA=='],
    ['the key alone', 'sk_test_demo_owner'],
    ['Bearer without a key', 'Bearer'],
    ['Bearer and two spaces', 'Bearer  '],
    ['two keys', 'Bearer sk_test_demo_owner sk_test_demo_owner'],
    ['a list of keys', 'Bearer sk_test_demo_owner, Bearer x'],
    ['a key in quotes', 'Bearer "sk_test_demo_owner"'],
    ['an unknown key', 'Bearer sk_live_unknown'],
    ['a key in other letters', 'Bearer SK_TEST_DEMO_OWNER'],
    ['the beginning of a key', 'Bearer sk_test_demo_owne'],
    ['10,000 characters', `Bearer ${'a'.repeat(10_000)}`],
    ['non-ASCII', 'Bearer é'],
    ['a tab', 'Bearer\tsk_test_demo_owner'],
    ['SQL', "Bearer '--"],
  ])('is 401 when it is %s', async (_, authorization) => {
    for (const [method, path] of [
      ['GET', '/documents'],
      ['PUT', '/company'],
      ['DELETE', '/webhooks/x'],
    ] as const) {
      expectError(await send({ method, path, headers: { authorization } }), noKey);
    }
  });

  it('is taken with more spaces and in any letters of the scheme', async () => {
    for (const authorization of ['Bearer  sk_test_demo_owner', 'bearer sk_test_demo_owner']) {
      const answer = await send({ method: 'GET', path: '/company', headers: { authorization } });
      expect(answer.status).toBe(200);
    }
  });

  it('is answered without a body where it was a HEAD', async () => {
    const answer = await send({ method: 'HEAD', path: '/documents', headers: { authorization: null } });
    expect(answer).toMatchObject({ status: 401, text: '' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('bytes that are hardly HTTP', () => {
  const HOST = 'Host: a\r\n';
  const JSON_POST = `POST ${CLIENTS} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

  it.each([
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['no target', 'GET\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\n\r\n'],
    ['a space in the target', `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
    ['non-ASCII in the target', `GET /é HTTP/1.1\r\n${HOST}\r\n`],
    ['a control character in the target', `GET /\x01 HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown protocol', `GET / NONSENSE/1.1\r\n${HOST}\r\n`],
    ['HTTP/2 in clear', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', `GET /documents HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
    ['a space in the name of a header', `GET /documents HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`],
    ['NUL in a header', `GET /documents HTTP/1.1\r\n${HOST}A: b\0c\r\n\r\n`],
    ['a bare CR in a request id', `GET /documents HTTP/1.1\r\n${HOST}X-Request-Id: a\rX-Evil: b\r\n\r\n`],
    ['a bare LF in a request id', `GET /documents HTTP/1.1\r\n${HOST}X-Request-Id: a\nX-Evil: b\r\n\r\n`],
    ['no Host', 'GET /documents HTTP/1.1\r\n\r\n'],
    ['headers of 20 KB', `GET /documents HTTP/1.1\r\n${HOST}A: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['an address of 20 KB', `GET /${'b'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
    ['two lengths', `${JSON_POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length that is negative', `${JSON_POST}Content-Length: -2\r\n\r\n{}`],
    ['a length that is no number', `${JSON_POST}Content-Length: two\r\n\r\n{}`],
    ['a length and chunks', `${JSON_POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
    ['chunks that are none', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ])('get the one body: %s', async (_, bytes) => {
    const answer = await exchangeBytes(service.url, [bytes]);
    expectError(answer, invalid);
    expect(answer.headers).not.toHaveProperty('x-evil');
  });

  it.each([
    ['half a request line', 'GET /docu'],
    ['HTTP/0.9', 'GET /documents\r\n'],
    ['half the headers', `GET /documents HTTP/1.1\r\n${HOST}Accept: `],
    ['half a body', `${JSON_POST}Content-Length: 100\r\n\r\n{"name":`],
    ['half a chunk', `${JSON_POST}Transfer-Encoding: chunked\r\n\r\n10\r\n{"name":`],
  ])('get the one body when nothing more comes: %s', async (_, bytes) => {
    expectError(await exchangeBytes(service.url, [bytes], { thenEnd: true }), invalid);
  });

  it('get the one body even when a whole MiB of them is sent before it is read', async () => {
    const pieces = Array.from({ length: 16 }, () => Buffer.alloc(65_536, 'a'));
    expectError(await exchangeBytes(service.url, pieces, { pauseMs: 2 }), invalid);
    const head = `GET / HTTP/1.1\r\n${HOST}A: `;
    expectError(await exchangeBytes(service.url, [head, ...pieces], { pauseMs: 2 }), invalid);
  });

  it.each([
    ['an upgrade', `GET /documents HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['an unknown expectation', `GET /documents HTTP/1.1\r\n${HOST}Expect: tea\r\n\r\n`],
    ['HTTP/1.0', 'GET /documents HTTP/1.0\r\n\r\n'],
    ['a fragment', `GET /documents#a HTTP/1.1\r\n${HOST}\r\n`],
    ['a whole address', `GET http://example.com/documents HTTP/1.1\r\n${HOST}\r\n`],
    ['two keys', `GET /documents HTTP/1.1\r\n${HOST}Authorization: x\r\nAuthorization: y\r\n\r\n`],
  ])('are read as an ordinary request where they are one: %s', async (_, bytes) => {
    expectError(await exchangeBytes(service.url, [bytes]), noKey);
  });

  it.each([
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
    ['an unknown whole address', `GET http://example.com/nothing HTTP/1.1\r\n${HOST}\r\n`],
  ])('are told that there is nothing there: %s', async (_, bytes) => {
    expectError(await exchangeBytes(service.url, [bytes]), notFound);
  });

  it('that stop in the middle, and connections that break, disturb nobody', async () => {
    const halves = [
      'GET /doc',
      `${JSON_POST}Content-Length: 100\r\n\r\n{"a"`,
      `GET /documents HTTP/1.1\r\n${HOST}`,
    ];
    const broken = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        exchangeBytes(service.url, [halves[n % 3]!], { hangUpAfterMs: n % 20 }),
      ),
    );
    expect(broken.every(({ status }) => status === 'rejected')).toBe(true);
    expect((await send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
  });
});
