import { examplePath, isTaken, methodsByPath } from './api-routes';
import { type ExpectedError, expectError } from './error-body';
import { invalid, notFound } from './expected-errors';
import { ITEM, post, send, serveRefused } from './refused-calls';
import { MIB } from './wire-values';

serveRefused();

const notAllowed: ExpectedError = { status: 405, code: 'METHOD_NOT_ALLOWED' };

describe('an unknown path or method', () => {
  const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
  const wrong = methodsByPath().flatMap(([path, methods]) =>
    METHODS.filter((method) => !isTaken(method, examplePath(path))).map((method) => ({
      method,
      path,
      methods,
    })),
  );

  it.each(wrong)('$method $path is 405 with the allowed methods', async ({ method, path, methods }) => {
    const answer = await send({ method, path: examplePath(path) });
    expectError(answer, notAllowed);
    expect(answer.headers.allow).toBe(methods.join(', '));
  });

  it.each([
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
    ['GET', '/docs/guides/../../package.json'],
    ['GET', '/docs/guides/..%2f..%2fpackage.json'],
    ['GET', '/docs/guides/architecture'],
    ['GET', '/docs/guides/webhooks.md'],
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
    ['DELETE', '/files/'],
    ['DELETE', '/files/0'],
    ['DELETE', '/files/999999'],
    ['DELETE', '/files/1/2'],
    ['GET', '/files/999999/content'],
    ['GET', '/files/1/content/1'],
    ['DELETE', '/files/../files/999999'],
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
    ['POST', '/documents/preview/ubl'],
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

  it.each([
    [
      'POST',
      '/document/create/order',
      'no route has this path; did you mean POST /documents/create/{type}? ',
    ],
    ['GET', '/nothing', 'no route has this path; GET /openapi.json '],
    ['POST', '/documents/create/nonsense', 'no such document type: it is one of tax-invoice, '],
  ])('%s %s suggests the nearest route', async (method, path, told) => {
    const body = method === 'POST' ? `{"entityId":1,"items":[${ITEM}]}` : undefined;
    const answer = await send({ method, path, body });
    expectError(answer, notFound);
    expect(JSON.parse(answer.text)).toMatchObject({ error: expect.stringContaining(told) });
  });

  it('is reported as an unknown path before the body is read', async () => {
    expectError(await post('/nothing', '{"a":'), notFound);
    expectError(await post('/nothing', Buffer.alloc(2 * MIB, 'a')), notFound);
    expectError(await post('/company', '{"a":'), notAllowed);
  });
});

describe('a malformed path', () => {
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
    expectError(await send({ method: 'GET', path: `/documents/${id}` }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('GET /products/id/%s is 400', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/products/id/${id}` }), invalid());
    expectError(await send({ method: 'GET', path: `/products/id/${id}/serials` }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('GET /files/%s/content is 400', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/files/${id}/content` }), invalid());
    expectError(await send({ method: 'DELETE', path: `/files/${id}` }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('PUT /inventory/edit/%s is 400', async (_, id) => {
    const body = '{"lowStockThreshold":1}';
    expectError(await send({ method: 'PUT', path: `/inventory/edit/${id}`, body }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('and so is /expenses/…/%s', async (_, id) => {
    expectError(await send({ method: 'GET', path: `/expenses/id/${id}` }), invalid());
    expectError(await send({ method: 'GET', path: `/expenses/extract-from-file/${id}` }), invalid());
    expectError(
      await send({ method: 'PUT', path: `/expenses/edit/${id}`, body: '{"title":"x"}' }),
      invalid(),
    );
    expectError(await send({ method: 'DELETE', path: `/expenses/delete/${id}` }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('DELETE /retainers/%s is 400', async (_, id) => {
    expectError(await send({ method: 'DELETE', path: `/retainers/${id}` }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('DELETE /api-keys/%s is 400', async (_, id) => {
    expectError(await send({ method: 'DELETE', path: `/api-keys/${id}` }), invalid());
  });

  it.each(ids.map((id) => [id.slice(0, 40), id]))('and so is /webhooks/…/%s', async (_, id) => {
    const endpoint = '/webhooks/we_000000000000000000000000';
    const one = `${endpoint}/deliveries/${id}`;
    expectError(await send({ method: 'GET', path: one }), invalid());
    expectError(await send({ method: 'POST', path: `${one}/replay` }), invalid());
    expectError(await send({ method: 'GET', path: `${endpoint}/replays/${id}` }), invalid());
  });

  it.each(['/%zz', '/documents/id/%zz', '/%', '/%C0%80', '/documents?search=%00', '/documents?%00=1'])(
    'GET %s is 400',
    async (path) => expectError(await send({ method: 'GET', path }), invalid()),
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
    ['approvalNumberStatus', 'approvalNumberStatus=pending'],
    ['overdueOn', 'overdueOn=true'],
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
    expectError(await send({ method: 'GET', path: `/documents?${query}` }), invalid(field));
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
    expectError(await send({ method: 'GET', path: `/products?${query}` }), invalid(field));
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

  it.each([...wrongIds('productId'), ...wrongIds('warehouseId'), ['isLow', 'isLow=1'], ['isLow', 'isLow=']])(
    'of stock records with a malformed %s is 400: ?%s',
    async (field, query) => {
      expectError(await send({ method: 'GET', path: `/inventory?${query}` }), invalid(field));
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
    expectError(await send({ method: 'GET', path: `/inventory/movements?${query}` }), invalid(field));
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
    expectError(await send({ method: 'GET', path: `/exchange-rates?${query}` }), invalid(field));
  });

  const invalidOfCosts: [field: string, query: string][] = [
    ...wrongIds('vendorId'),
    ['startDate', 'startDate='],
    ['startDate', 'startDate=2026-02-30'],
    ['startDate', 'startDate=yesterday'],
    ['startDate', 'startDate=2026-01-01&startDate=2026-01-02'],
    ['endDate', 'endDate=2026-1-5'],
    ['endDate', 'endDate=2026-11-21T00:00:00Z'],
    ['endDate', 'endDate=%zz'],
  ];

  it.each(invalidOfCosts)('of supplier invoices with a malformed %s is 400: ?%s', async (field, query) => {
    expectError(await send({ method: 'GET', path: `/purchase?${query}` }), invalid(field));
  });

  it.each([
    ...invalidOfCosts,
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
    expectError(await send({ method: 'GET', path: `/expenses?${query}` }), invalid(field));
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
  ])('of an extraction from a url is 400 %s: ?%s', async (code, query) => {
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
    expectError(await send({ method: 'GET', path }), invalid(field));
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
  ])('with a malformed position in the feed is %s, not a list: ?%s', async (code, query) => {
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
  ])('with unknown parameters is ignored: ?%s', async (query) => {
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
  it.each(lists)('of %s with an invalid window is still answered', async (list) => {
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
