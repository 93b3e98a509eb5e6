import { ROLES, type Permission, type Role } from '@counterfoil/kernel';
import { DEMO_KEY, queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import { API_ROUTES, type ApiRoute, examplePath } from './api-routes';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { upload } from './uploads';

const INVOICES = '/documents/create/tax-invoice';
const MOVEMENTS = '/inventory/movements/create';
const ITEM = { description: 'Consulting', quantity: 1, unitPrice: 100 };
/** A document's public id that nothing has. */
const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const UNKNOWN_ENDPOINT = 'we_000000000000000000000000';
const UNKNOWN_ID = 999_999;

interface CreatedKey {
  readonly id: number;
  readonly key: string;
  readonly role: Role;
}

interface Company {
  readonly ownerKey: string;
  /** Client and vendor in one. */
  readonly entityId: number;
  readonly entityVisibleId: string;
  readonly fileId: number;
  readonly addressId: number;
  readonly contactId: number;
  readonly product: { readonly productId: number; readonly visibleId: string };
  readonly warehouseId: number;
  /** Where none of its stock is. */
  readonly otherWarehouseId: number;
  /** Holds 5 of the product, in the first warehouse. */
  readonly inventoryId: number;
  readonly expenseId: number;
  readonly purchase: { readonly purchaseId: number; readonly visibleId: string };
  readonly document: { readonly id: number; readonly visibleId: string };
  readonly endpointId: string;
  readonly deliveryId: number;
  readonly replayId: number;
  readonly customFieldId: number;
  readonly documentExecutionStatusId: number;
  readonly savedReportId: number;
  readonly retainerId: number;
  readonly tokenId: number;
  /** Authorized, and neither captured nor canceled. */
  readonly chargeId: number;
  readonly paymentPageId: number;
  readonly recurringPaymentId: number;
  readonly apiKeyId: number;
}

let service: TestService;

const send = (key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  exchange(service.url, {
    method,
    path,
    headers: { authorization: `Bearer ${key}` },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

async function sendOk<T>(key: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(key, method, path, body);
  expect({ path, status: answer.status < 300 ? 'ok' : answer.text }).toEqual({ path, status: 'ok' });
  return JSON.parse(answer.text) as T;
}

const createKey = (ownerKey: string, role: Role, userName = `The ${role}`): Promise<CreatedKey> =>
  sendOk(ownerKey, 'POST', '/api-keys', { role, userName });

/** Gives a company one of everything that has an id. */
async function furnish(ownerKey: string): Promise<Company> {
  const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
  const { clientId } = await sendOk<{ clientId: number }>(ownerKey, 'POST', '/clients/create', client);
  const asVendor = { entityId: clientId };
  const vendor = await sendOk<{ visibleId: string }>(ownerKey, 'POST', '/vendors/create', asVendor);
  const { id: fileId } = await upload(service.url, 'receipt', { key: ownerKey });
  const place = { street: 'Herzl', city: 'Haifa' };
  const { addressId } = await sendOk<{ addressId: number }>(ownerKey, 'POST', '/addresses/create', place);
  const person = { firstName: 'Dana' };
  const { contactId } = await sendOk<{ contactId: number }>(ownerKey, 'POST', '/contacts/create', person);
  const paper = { name: 'Paper', sku: 'A4', serials: ['A'] };
  const product = await sendOk<Company['product']>(ownerKey, 'POST', '/products/create', paper);
  const stock = await stockUp(ownerKey, product.productId);
  const costs = await spend(ownerKey, clientId, fileId);
  const asked = { entityId: clientId, items: [ITEM], externalId: 'order-1' };
  const document = await sendOk<Company['document']>(ownerKey, 'POST', INVOICES, asked);
  const hook = { url: 'https://127.0.0.1:9/hook', events: ['charge.failed'] };
  const { id: endpointId } = await sendOk<{ id: string }>(ownerKey, 'POST', '/webhooks', hook);
  const at = `/webhooks/${endpointId}`;
  // Nothing is to be sent: what is asked for below must not change by itself.
  await sendOk(ownerKey, 'POST', `${at}/pause`);
  const { deliveryId } = await sendOk<{ deliveryId: number }>(ownerKey, 'POST', `${at}/test`);
  const range = { since: '2000-01-01', until: '2000-01-02' };
  const { replayId } = await sendOk<{ replayId: number }>(ownerKey, 'POST', `${at}/replay`, range);
  const { id: apiKeyId } = await createKey(ownerKey, 'viewer', 'Somebody');
  const entity = { entityId: clientId, entityVisibleId: vendor.visibleId, fileId, addressId, contactId };
  const documents = { ...costs, document };
  const defined = await define(ownerKey);
  const hooks = { endpointId, deliveryId, replayId };
  const monthly = { ...RETAINER, entityId: clientId };
  const { retainerId } = await sendOk<Company>(ownerKey, 'POST', '/retainers/create', monthly);
  const made = { ...documents, ...hooks, ...defined, retainerId, ...(await charge(ownerKey)) };
  return { ownerKey, ...entity, product, ...stock, ...made, apiKeyId };
}

async function define(
  ownerKey: string,
): Promise<Pick<Company, 'customFieldId' | 'documentExecutionStatusId' | 'savedReportId'>> {
  const make = (path: string, more: object) =>
    sendOk<Company>(ownerKey, 'POST', path, { name: 'Theirs', ...more });
  const field = await make('/custom-fields', { appliesTo: 'vendor', fieldType: 'text' });
  const status = await make('/document-execution-statuses', {});
  const report = await make('/reports/documents/saved', { filters: { of: ownerKey } });
  return {
    customFieldId: field.customFieldId,
    documentExecutionStatusId: status.documentExecutionStatusId,
    savedReportId: report.savedReportId,
  };
}

async function charge(
  ownerKey: string,
): Promise<Pick<Company, 'tokenId' | 'chargeId' | 'paymentPageId' | 'recurringPaymentId'>> {
  const make = (path: string, body: object) => sendOk<Company>(ownerKey, 'POST', path, body);
  const { tokenId } = await make('/gateway/tokens', CARD);
  const { chargeId } = await make('/gateway/charges', { tokenId, amount: 10, capture: false });
  const { paymentPageId } = await make(PAGES, { amount: 10, description: 'Theirs' });
  const { recurringPaymentId } = await make(RECURRING, { ...YEARLY, tokenId });
  return { tokenId, chargeId, paymentPageId, recurringPaymentId };
}

const CARD = { provider: 'sandbox', providerToken: 'tok_approved' };
const PAGES = '/gateway/payments/payment-pages';
const RECURRING = '/gateway/recurring-payments';
const YEARLY = { amount: 10, interval: 'YEARLY', nextRunDate: '2999-01-31' };
const RETAINER = {
  items: [ITEM],
  interval: 'MONTHLY',
  nextRunDate: '2999-01-31',
  documentType: 'ORDER',
};
const SPENT = { documentNumber: 'R-1', date: '2026-11-20', total: 118, tax: 18, deductableTax: 18 };

async function spend(
  ownerKey: string,
  vendorId: number,
  fileId: number,
): Promise<Pick<Company, 'expenseId' | 'purchase'>> {
  const expense = { ...SPENT, vendorId, fileId, title: 'Theirs' };
  const made = await sendOk<{ expenseId: number }>(ownerKey, 'POST', '/expenses/create', expense);
  const invoice = { ...SPENT, vendorId, currency: 'ILS' };
  const purchase = await sendOk<Company['purchase']>(ownerKey, 'POST', '/purchase/create', invoice);
  return { expenseId: made.expenseId, purchase };
}

async function stockUp(
  ownerKey: string,
  productId: number,
): Promise<Pick<Company, 'warehouseId' | 'otherWarehouseId' | 'inventoryId'>> {
  const warehouse = async (name: string) =>
    (await sendOk<{ warehouseId: number }>(ownerKey, 'POST', '/warehouses/create', { name })).warehouseId;
  const [warehouseId, otherWarehouseId] = [await warehouse('Main'), await warehouse('Other')];
  const record = { productId, warehouseId, lowStockThreshold: 1 };
  const made = await sendOk<{ inventoryId: number }>(ownerKey, 'POST', '/inventory/create', record);
  const { inventoryId } = made;
  const received = { inventoryId, movementType: 'ADD', quantity: 5, reason: 'received' };
  await sendOk(ownerKey, 'POST', MOVEMENTS, received);
  return { warehouseId, otherWarehouseId, inventoryId };
}

let ours: Company;
let theirs: Company;

beforeAll(async () => {
  service = await startService(queueStores()[0]!, { OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32' });
  const created = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Another company');
  ours = await furnish(DEMO_KEY);
  theirs = await furnish(created.ownerKey);
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

describe('what a role may do', () => {
  const MAY: Record<Role, readonly Permission[]> = {
    owner: ['read', 'write', 'set-rates', 'administer'],
    accountant: ['read', 'write', 'set-rates'],
    editor: ['read', 'write'],
    viewer: ['read'],
  };
  /** What each route answers to a caller who may use it, sent as below: nothing is left changed by it. */
  const SERVED: Readonly<Record<string, number>> = {
    'POST /api-keys': 400,
    'DELETE /api-keys/{id}': 404,
    'POST /custom-fields': 400,
    'POST /document-execution-statuses': 400,
    'POST /reports/documents/saved': 400,
    'POST /retainers/create': 400,
    'DELETE /retainers/{id}': 404,
    'POST /files/upload': 415,
    'GET /files/{id}/content': 404,
    'POST /clients/create': 400,
    'PUT /clients/edit/{visibleId}': 404,
    'GET /clients/id/{visibleId}': 404,
    'POST /vendors/create': 400,
    'PUT /vendors/edit/{visibleId}': 404,
    'GET /vendors/pricelist': 400,
    'GET /vendors/id/{visibleId}/pricelist': 404,
    'PUT /vendors/id/{visibleId}/pricelist': 400,
    'GET /vendors/id/{visibleId}/pricelist/quote': 400,
    'POST /addresses/create': 400,
    'POST /contacts/create': 400,
    'POST /products/create': 400,
    'PUT /products/edit/{visibleId}': 404,
    'GET /products/id/{id}': 404,
    'GET /products/id/{id}/serials': 404,
    'POST /warehouses/create': 400,
    'POST /inventory/create': 400,
    'PUT /inventory/edit/{id}': 404,
    'POST /inventory/movements/create': 400,
    'PUT /exchange-rates': 400,
    'GET /expenses/extract-from-file/{fileId}': 404,
    'GET /expenses/extract-from-url': 400,
    'POST /expenses/create': 400,
    'PUT /expenses/edit/{id}': 404,
    'DELETE /expenses/delete/{id}': 404,
    'GET /purchase/id/{visibleId}': 404,
    'POST /purchase/create': 400,
    'POST /purchase/cancel/{visibleId}': 400,
    'POST /documents/create/{type}': 400,
    'GET /documents/id/{visibleId}': 404,
    'GET /documents/by-external-id/{externalId}': 404,
    'GET /documents/{id}': 404,
    'POST /documents/preview': 400,
    'POST /documents/preview/html': 400,
    'POST /documents/close/{visibleId}': 404,
    'POST /documents/cancel/{visibleId}': 400,
    'POST /documents/allocate': 400,
    'POST /documents/approval-number/{visibleId}': 400,
    'POST /webhooks': 400,
    'POST /webhooks/{id}/replay': 400,
    'POST /gateway/tokens': 400,
    'DELETE /gateway/tokens/{id}': 404,
    'POST /gateway/charges': 400,
    'GET /gateway/charges/{id}': 404,
    'POST /gateway/charges/{id}/capture': 404,
    'POST /gateway/charges/{id}/cancel': 404,
    'POST /gateway/charges/{id}/refund': 404,
    'POST /gateway/payments/payment-pages': 400,
    'POST /gateway/recurring-payments': 400,
    'DELETE /gateway/recurring-payments/{id}': 404,
    'GET /gateway/sandbox/pages/{key}': 404,
    'POST /gateway/sandbox/pages/{key}/pay': 400,
    'POST /gateway/webhooks': 400,
    'POST /gateway/webhooks/{id}/replay': 400,
    // Everything else under an endpoint's id, which is unknown.
    ...Object.fromEntries(
      API_ROUTES.filter(({ path }) => /\/webhooks\/\{id\}(?!\/replay$)/.test(path)).map(
        ({ method, path }) => [`${method} ${path}`, 404],
      ),
    ),
  };
  const keys = new Map<Role, string>();
  const sendTo = ({ method, path }: ApiRoute, key: string) =>
    send(key, method, examplePath(path), method === 'GET' || method === 'DELETE' ? undefined : {});

  beforeAll(async () => {
    for (const role of ROLES) keys.set(role, (await createKey(DEMO_KEY, role)).key);
  });

  const rows = ROLES.flatMap((role) =>
    API_ROUTES.map((route) => {
      const may = route.needs === null || MAY[role].includes(route.needs);
      const served = SERVED[`${route.method} ${route.path}`] ?? 200;
      return { role, ...route, status: may ? served : 403 };
    }),
  );

  it.each(rows)('$method $path answers $status to the $role', async ({ role, status, ...route }) => {
    const answer = await sendTo(route, keys.get(role)!);
    if (status === 403) expectError(answer, { status, code: 'FORBIDDEN' });
    else expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  });

  it.each(API_ROUTES)('$method $path without a key', async (route) => {
    const answer = await sendTo(route, 'sk_live_unknown');
    if (route.needs === null) expect(answer.status).toBe(SERVED[`${route.method} ${route.path}`] ?? 200);
    else expectError(answer, { status: 401, code: 'UNAUTHENTICATED' });
  });

  it('lets whoever may write issue a document, and nobody else', async () => {
    const asked = { entityId: ours.entityId, items: [ITEM] };
    for (const role of ['owner', 'accountant', 'editor'] as const) {
      expect((await send(keys.get(role)!, 'POST', INVOICES, asked)).status).toBe(201);
    }
    const refused = await send(keys.get('viewer')!, 'POST', INVOICES, asked);
    expectError(refused, { status: 403, code: 'FORBIDDEN' });
  });
});

describe('stock is moved by whoever may write', () => {
  it('and by nobody else, and every movement names who did it', async () => {
    const movement = { inventoryId: ours.inventoryId, movementType: 'ADD', quantity: 1 };
    for (const role of ['owner', 'accountant', 'editor'] as const) {
      const { key } = await createKey(DEMO_KEY, role, `Moves as ${role}`);
      const { movementId } = await sendOk<{ movementId: number }>(key, 'POST', MOVEMENTS, movement);
      const { data } = await sendOk<{ data: object[] }>(key, 'GET', '/inventory/movements?limit=1');
      const user = { id: expect.any(Number), name: `Moves as ${role}` };
      expect(data).toMatchObject([{ movement: { id: movementId }, user }]);
      const [by] = data as { movement: { userId: number }; user: { id: number } }[];
      expect(by!.movement.userId).toBe(by!.user.id);
    }
    const { key } = await createKey(DEMO_KEY, 'viewer', 'Looks on');
    const before = await sendOk(DEMO_KEY, 'GET', '/inventory');
    expectError(await send(key, 'POST', MOVEMENTS, movement), { status: 403, code: 'FORBIDDEN' });
    expect(await sendOk(key, 'GET', '/inventory')).toEqual(before);
  });
});

describe('an API key', () => {
  interface ListedKey {
    readonly id: number;
    readonly lastUsedAt: string | null;
  }

  async function listed(): Promise<ListedKey[]> {
    return (await sendOk<{ data: ListedKey[] }>(DEMO_KEY, 'GET', '/api-keys?limit=200')).data;
  }

  it('is shown once, and then neither it nor its hash is found anywhere', async () => {
    const created = await createKey(DEMO_KEY, 'editor', 'Dana');
    expect(created).toEqual({
      success: true,
      id: expect.any(Number),
      key: expect.stringMatching(/^sk_live_[\w-]{32}$/),
      role: 'editor',
    });
    const { text } = await send(DEMO_KEY, 'GET', '/api-keys?limit=200');
    const [stored] = await service.database.query<{ row: string; hash: string }>(
      `select k::text as row, encode(key_hash, 'hex') as hash from api_keys k where id = $1`,
      [created.id],
    );
    expect(text).not.toContain(created.key.slice(8));
    expect(text).not.toContain(stored!.hash);
    expect(text).not.toContain('sk_');
    expect(stored!.row).not.toContain(created.key.slice(8));
    await sendOk(created.key, 'GET', '/company');
    expect(service.api.log).not.toContain(created.key.slice(8));
    const { lastUsedAt, ...shown } = (await listed()).find(({ id }) => id === created.id)!;
    expect(lastUsedAt === null || lastUsedAt.endsWith('Z')).toBe(true);
    expect(shown).toEqual({
      id: created.id,
      role: 'editor',
      userId: expect.any(Number),
      userName: 'Dana',
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it('is never made twice, and two keys of one user are the same user', async () => {
    const [first, second] = await Promise.all([
      createKey(DEMO_KEY, 'viewer', 'Noa'),
      createKey(DEMO_KEY, 'viewer', 'Noa'),
    ]);
    expect(first.key).not.toBe(second.key);
    const users = await service.database.query(`select id from users where name = 'Noa'`);
    expect(users).toHaveLength(1);
  });

  it('carries when it was last used', async () => {
    const { id, key } = await createKey(DEMO_KEY, 'viewer');
    const lastUse = async () => (await listed()).find((one) => one.id === id)!.lastUsedAt;
    expect(await lastUse()).toBeNull();
    const before = Date.now();
    await sendOk(key, 'GET', '/company');
    const used = await until('the use to be noted', lastUse);
    expect(Date.parse(used)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(used)).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('is refused from the next request on when it was revoked, and cannot be revoked twice', async () => {
    const { id, key } = await createKey(DEMO_KEY, 'owner');
    await sendOk(key, 'GET', '/documents');
    expect(await sendOk(DEMO_KEY, 'DELETE', `/api-keys/${id}`)).toEqual({ success: true });
    for (const path of ['/documents', '/company']) {
      expectError(await send(key, 'GET', path), { status: 401, code: 'UNAUTHENTICATED' });
    }
    expectError(await send(DEMO_KEY, 'DELETE', `/api-keys/${id}`), { status: 404, code: 'NOT_FOUND' });
    expect((await listed()).map((one) => one.id)).not.toContain(id);
  });

  it('may revoke itself', async () => {
    const { id, key } = await createKey(DEMO_KEY, 'owner');
    expect(await sendOk(key, 'DELETE', `/api-keys/${id}`)).toEqual({ success: true });
    expectError(await send(key, 'GET', '/company'), { status: 401, code: 'UNAUTHENTICATED' });
  });

  it('works and ends the same when an operator made it', async () => {
    const { companyId } = await service.admin<{ companyId: number }>('company:create', '--name', 'Operated');
    const company = String(companyId);
    const made = await service.admin<CreatedKey>('key:create', '--company', company, '--role', 'viewer');
    expect(await sendOk(made.key, 'GET', '/company')).toMatchObject({ id: companyId, name: 'Operated' });
    expectError(await send(made.key, 'PUT', '/company', {}), { status: 403, code: 'FORBIDDEN' });
    await service.admin('key:revoke', '--id', String(made.id));
    expectError(await send(made.key, 'GET', '/company'), { status: 401, code: 'UNAUTHENTICATED' });
  });
});

describe("another company's id behaves exactly as an unknown one", () => {
  /** What a caller can tell apart: everything but the id of the request. */
  function visible({ status, text }: Answer): unknown {
    return { status, body: JSON.parse(text.replace(/"requestId":"[^"]*"/, '"requestId":"…"')) };
  }

  interface Asked {
    readonly what: string;
    readonly method: string;
    readonly pathFor: (company: Company) => string;
    readonly bodyFor?: (company: Company) => object;
    readonly status: number;
  }

  const document = ({ entityId }: Company) => ({ entityId, items: [ITEM] });
  const ourOwn = (more: object) => ({ ...document(ours), ...more });
  const ourReceipt = (allocations: object[]) => ({
    entityId: ours.entityId,
    payments: [{ method: 'CASH', amount: 1 }],
    allocations,
  });
  const ofEndpoint = (method: string, pathFor: Asked['pathFor'], body?: object): Asked => ({
    what: 'an endpoint',
    method,
    pathFor,
    ...(body === undefined ? {} : { bodyFor: () => body }),
    status: 404,
  });
  const ofProduct = (method: string, pathFor: Asked['pathFor']): Asked => ({
    what: 'a product',
    method,
    pathFor,
    ...(method === 'PUT' ? { bodyFor: () => ({ name: 'Mine', serials: [] }) } : {}),
    status: 404,
  });
  const NEW_ENTITY = { name: 'Mine', taxId: '1', type: 'COMPANY' };
  const ofEntity = (method: string, path: string, status: number): Asked => ({
    what: 'a vendor or client',
    method,
    pathFor: (one) => `${path}/${one.entityVisibleId}`,
    ...(method === 'PUT' ? { bodyFor: () => ({ name: 'Mine' }) } : {}),
    status,
  });
  const ofPricelist = (method: string, pathFor: Asked['pathFor']): Asked => ({
    what: 'a pricelist, or a product quoted from one',
    method,
    pathFor,
    ...(method === 'PUT' ? { bodyFor: () => ({ entries: [] }) } : {}),
    status: 404,
  });
  const referring = (path: string, method: string, bodyFor: (company: Company) => object): Asked => ({
    what: 'what a body refers to',
    method,
    pathFor: () => path,
    bodyFor,
    status: 400,
  });
  const ofStock = (what: string, path: string, bodyFor: (company: Company) => object): Asked => ({
    what,
    method: 'POST',
    pathFor: () => path,
    bodyFor,
    status: 400,
  });
  const ofStockList = (pathFor: Asked['pathFor']): Asked => ({
    what: 'a filter of stock or its movements',
    method: 'GET',
    pathFor,
    status: 200,
  });
  const ofGateway = (what: string, method: string, pathFor: Asked['pathFor']): Asked => ({
    what,
    method,
    pathFor,
    status: 404,
  });
  const MOVED = { movementType: 'SUBTRACT', quantity: 1 };
  const ofCost = (method: string, pathFor: Asked['pathFor'], status: number): Asked => ({
    what: 'an expense or a supplier invoice',
    method,
    pathFor,
    ...(method === 'GET' || method === 'DELETE'
      ? {}
      : { bodyFor: () => ({ title: 'Mine', reason: 'Mine' }) }),
    status,
  });
  const rows: Asked[] = [
    ofStock('an address of a warehouse', '/warehouses/create', ({ addressId }) => ({
      name: 'Mine',
      addressId,
    })),
    ofStock('a product to be stocked', '/inventory/create', ({ product: { productId } }) => ({
      productId,
      warehouseId: ours.warehouseId,
    })),
    ofStock('a warehouse to be stocked', '/inventory/create', ({ warehouseId }) => ({
      productId: ours.product.productId,
      warehouseId,
    })),
    ofStock('a product that is stocked there', '/inventory/create', ({ product, warehouseId }) => ({
      productId: product.productId,
      warehouseId,
    })),
    ...['ADD', 'ADJUST', 'SUBTRACT', 'RESERVE', 'RELEASE', 'RELEASE_AND_SUBTRACT', 'ADD_AND_RESERVE'].map(
      (movementType) =>
        ofStock('a stock record that is moved', MOVEMENTS, ({ inventoryId }) => ({
          ...MOVED,
          inventoryId,
          movementType,
        })),
    ),
    // More than it holds, which must not be told.
    ofStock('a stock record that holds less', MOVEMENTS, ({ inventoryId }) => ({
      ...MOVED,
      inventoryId,
      quantity: 9_999,
    })),
    ofStock('a stock record that is transferred from', MOVEMENTS, ({ inventoryId }) => ({
      ...MOVED,
      inventoryId,
      movementType: 'TRANSFER',
      targetWarehouseId: ours.otherWarehouseId,
    })),
    ...(['warehouseId', 'otherWarehouseId'] as const).map((which) =>
      ofStock('a warehouse that is transferred to', MOVEMENTS, (one) => ({
        ...MOVED,
        inventoryId: ours.inventoryId,
        movementType: 'TRANSFER',
        targetWarehouseId: one[which],
      })),
    ),
    ofStock('a transfer among them', MOVEMENTS, ({ inventoryId, otherWarehouseId }) => ({
      ...MOVED,
      inventoryId,
      movementType: 'TRANSFER',
      targetWarehouseId: otherWarehouseId,
    })),
    {
      what: 'a stock record that is changed',
      method: 'PUT',
      pathFor: (one) => `/inventory/edit/${one.inventoryId}`,
      bodyFor: () => ({ lowStockThreshold: 77 }),
      status: 404,
    },
    ofStockList((one) => `/inventory?productId=${one.product.productId}`),
    ofStockList((one) => `/inventory?warehouseId=${one.warehouseId}`),
    ofStockList((one) => `/inventory?productId=${ours.product.productId}&warehouseId=${one.warehouseId}`),
    ofStockList((one) => `/inventory/movements?inventoryId=${one.inventoryId}`),
    ofStockList(
      (one) => `/inventory/movements?inventoryId=${one.inventoryId}&movementType=ADD&reason=receiv`,
    ),
    {
      what: 'a file',
      method: 'GET',
      pathFor: (one) => `/files/${one.fileId}/content`,
      status: 404,
    },
    ...['logoFileId', 'withholdingFileId'].flatMap((field) => [
      referring('/vendors/create', 'POST', ({ fileId }) => ({ ...NEW_ENTITY, [field]: fileId })),
      {
        ...referring('', 'PUT', ({ fileId }) => ({ [field]: fileId })),
        pathFor: () => `/vendors/edit/${ours.entityVisibleId}`,
      },
    ]),
    ofCost('GET', (one) => `/expenses/extract-from-file/${one.fileId}`, 404),
    ofCost('GET', (one) => `/expenses/id/${one.expenseId}`, 200),
    ofCost('GET', (one) => `/expenses/id/${one.purchase.purchaseId}`, 200),
    ofCost('PUT', (one) => `/expenses/edit/${one.expenseId}`, 404),
    ofCost('DELETE', (one) => `/expenses/delete/${one.expenseId}`, 404),
    ofCost('GET', (one) => `/purchase/id/${one.purchase.visibleId}`, 404),
    ofCost('POST', (one) => `/purchase/cancel/${one.purchase.visibleId}`, 404),
    ofCost('GET', (one) => `/documents/${one.purchase.purchaseId}`, 404),
    ofCost('GET', (one) => `/documents/${one.purchase.visibleId}`, 404),
    ofCost('GET', (one) => `/documents/id/${one.purchase.visibleId}`, 404),
    ofCost('GET', (one) => `/expenses?vendorId=${one.entityId}`, 200),
    ofCost('GET', (one) => `/expenses?vendorId=${one.entityId}&include=all&search=the`, 200),
    ofCost('GET', (one) => `/purchase?vendorId=${one.entityId}`, 200),
    ...['/expenses/create', '/purchase/create'].map((path) =>
      referring(path, 'POST', ({ entityId }) => ({
        ...{ ...SPENT, vendorId: entityId, fileId: ours.fileId, currency: 'ILS' },
      })),
    ),
    referring('/expenses/create', 'POST', ({ fileId }) => ({ ...SPENT, vendorId: ours.entityId, fileId })),
    ...['vendorId', 'entityId', 'fileId'].map((field): Asked => ({
      ...referring('', 'PUT', ({ entityId, fileId }) => ({
        [field]: field === 'fileId' ? fileId : entityId,
      })),
      pathFor: () => `/expenses/edit/${ours.expenseId}`,
    })),
    ofEntity('GET', '/vendors/id', 200),
    ofEntity('GET', '/clients/id', 404),
    ofEntity('PUT', '/vendors/edit', 404),
    ofEntity('PUT', '/clients/edit', 404),
    ofPricelist('GET', (one) => `/vendors/pricelist?entityId=${one.entityId}`),
    ofPricelist('GET', (one) => `/vendors/id/${one.entityVisibleId}/pricelist`),
    ofPricelist('PUT', (one) => `/vendors/id/${one.entityVisibleId}/pricelist`),
    ofPricelist('GET', (one) => `/vendors/id/${one.entityVisibleId}/pricelist/quote?productId=1&quantity=1`),
    ofPricelist('GET', (one) => {
      const quote = `/vendors/id/${ours.entityVisibleId}/pricelist/quote`;
      return `${quote}?productId=${one.product.productId}&quantity=1`;
    }),
    ...['/vendors/create', '/clients/create'].flatMap((path) => [
      referring(path, 'POST', ({ entityId }) => ({ entityId })),
      referring(path, 'POST', ({ addressId }) => ({ ...NEW_ENTITY, addressId })),
      referring(path, 'POST', ({ contactId }) => ({ ...NEW_ENTITY, existingContactId: contactId })),
      referring(path, 'POST', ({ addressId }) => ({
        ...NEW_ENTITY,
        contact: { firstName: 'Mine', addressId },
      })),
    ]),
    ...['vendors', 'clients'].map((list): Asked => ({
      ...referring('', 'PUT', ({ addressId }) => ({ addressId })),
      pathFor: () => `/${list}/edit/${ours.entityVisibleId}`,
    })),
    referring('/contacts/create', 'POST', ({ addressId }) => ({ firstName: 'Mine', addressId })),
    ...['', '/serials'].flatMap((rest) => [
      ofProduct('GET', (one) => `/products/id/${one.product.productId}${rest}`),
      ofProduct('GET', (one) => `/products/id/${one.product.visibleId}${rest}`),
    ]),
    ofProduct('PUT', (one) => `/products/edit/${one.product.visibleId}`),
    {
      what: 'a product of an item',
      method: 'POST',
      pathFor: () => INVOICES,
      bodyFor: ({ product: { productId } }) => ourOwn({ items: [{ ...ITEM, productId }] }),
      status: 400,
    },
    { what: 'a document', method: 'GET', pathFor: (one) => `/documents/${one.document.id}`, status: 404 },
    {
      what: 'a document',
      method: 'GET',
      pathFor: (one) => `/documents/${one.document.visibleId}`,
      status: 404,
    },
    {
      what: 'a document',
      method: 'GET',
      pathFor: (one) => `/documents/id/${one.document.visibleId}`,
      status: 404,
    },
    ...['/webhooks', '/gateway/webhooks'].flatMap((base) => [
      ...['', '/deliveries', `/deliveries/${UNKNOWN_ID}`, `/replays/${UNKNOWN_ID}`].map((rest) =>
        ofEndpoint('GET', (one) => `${base}/${one.endpointId}${rest}`),
      ),
      ...['/pause', '/resume', '/rotate-secret', '/test', `/deliveries/${UNKNOWN_ID}/replay`].map((rest) =>
        ofEndpoint('POST', (one) => `${base}/${one.endpointId}${rest}`),
      ),
      ofEndpoint('POST', (one) => `${base}/${one.endpointId}/replay`, { since: '2026-01-01' }),
      ofEndpoint('PUT', (one) => `${base}/${one.endpointId}`, { events: ['*'] }),
      ofEndpoint('DELETE', (one) => `${base}/${one.endpointId}`),
      // What was sent to their endpoint, asked for as if it had been sent to ours.
      ofEndpoint('GET', (one) => `${base}/${ours.endpointId}/deliveries/${one.deliveryId}`),
      ofEndpoint('POST', (one) => `${base}/${ours.endpointId}/deliveries/${one.deliveryId}/replay`),
      ofEndpoint('GET', (one) => `${base}/${ours.endpointId}/replays/${one.replayId}`),
    ]),
    { what: 'a key', method: 'DELETE', pathFor: (one) => `/api-keys/${one.apiKeyId}`, status: 404 },
    { what: 'an entity', method: 'POST', pathFor: () => INVOICES, bodyFor: document, status: 400 },
    {
      what: 'an entity',
      method: 'POST',
      pathFor: () => '/documents/create/receipt',
      bodyFor: document,
      status: 400,
    },
    {
      what: 'a document that is covered',
      method: 'POST',
      pathFor: () => INVOICES,
      bodyFor: ({ document: { id } }) => ourOwn({ linkedDocumentIds: [id] }),
      status: 400,
    },
    {
      what: 'a document that is credited',
      method: 'POST',
      pathFor: () => '/documents/create/refund',
      bodyFor: ({ document: { id } }) => ourOwn({ refundOf: id }),
      status: 400,
    },
    {
      what: 'whom a retainer bills',
      method: 'POST',
      pathFor: () => '/retainers/create',
      bodyFor: ({ entityId }) => ({ ...RETAINER, entityId }),
      status: 400,
    },
    {
      what: 'what a retainer bills',
      method: 'POST',
      pathFor: () => '/retainers/create',
      bodyFor: ({ product: { productId } }) => ({
        ...RETAINER,
        entityId: ours.entityId,
        items: [{ ...ITEM, productId }],
      }),
      status: 400,
    },
    {
      what: 'a retainer that is ended',
      method: 'DELETE',
      pathFor: (one) => `/retainers/${one.retainerId}`,
      status: 404,
    },
    ...['/documents/create/order', '/documents/preview', '/documents/preview/html'].map((path) => ({
      what: 'a retainer that a document is of',
      method: 'POST',
      pathFor: () => path,
      bodyFor: ({ retainerId }: Company) => ourOwn({ type: 'ORDER', retainerId }),
      status: 400,
    })),
    ofGateway('a card that is removed', 'DELETE', (one) => `/gateway/tokens/${one.tokenId}`),
    ofGateway(
      'a recurring payment that is ended',
      'DELETE',
      (one) => `${RECURRING}/${one.recurringPaymentId}`,
    ),
    // Those of retainers are schedules as well.
    ofGateway('a retainer that is ended as one', 'DELETE', (one) => `${RECURRING}/${one.retainerId}`),
    ofGateway('a charge', 'GET', (one) => `/gateway/charges/${one.chargeId}`),
    ...['capture', 'cancel', 'refund'].map((action) =>
      ofGateway(`a charge to ${action}`, 'POST', (one) => `/gateway/charges/${one.chargeId}/${action}`),
    ),
    ...(['tokenId', 'entityId'] as const).map((field) => ({
      ...ofGateway(`the ${field} of charges`, 'GET', (one) => `/gateway/charges?${field}=${one[field]}`),
      status: 200,
    })),
    {
      ...ofGateway(
        'the documentId of charges',
        'GET',
        (one) => `/gateway/charges?documentId=${one.document.id}`,
      ),
      status: 200,
    },
    referring('/gateway/tokens', 'POST', ({ entityId }) => ({ ...CARD, entityId })),
    referring('/gateway/charges', 'POST', ({ tokenId }) => ({ tokenId, amount: 1 })),
    referring('/gateway/charges', 'POST', ({ entityId }) => ({ tokenId: ours.tokenId, amount: 1, entityId })),
    referring('/gateway/charges', 'POST', ({ document: { id } }) => ({
      ...{ tokenId: ours.tokenId, amount: 1, documentId: id },
    })),
    referring(PAGES, 'POST', ({ entityId }) => ({ amount: 1, description: 'Mine', entityId })),
    referring(RECURRING, 'POST', ({ tokenId }) => ({ ...YEARLY, tokenId })),
    referring(RECURRING, 'POST', ({ entityId }) => ({ ...YEARLY, tokenId: ours.tokenId, entityId })),
    {
      what: 'a document that is paid',
      method: 'POST',
      pathFor: () => '/documents/create/receipt',
      bodyFor: ({ document: { id } }) => ourReceipt([{ documentId: id, amount: 1 }]),
      status: 400,
    },
    {
      what: 'a document that is previewed as credited',
      method: 'POST',
      pathFor: () => '/documents/preview',
      bodyFor: ({ document: { id } }) => ourOwn({ type: 'REFUND', refundOf: id }),
      status: 400,
    },
    {
      what: 'an entity in a preview',
      method: 'POST',
      pathFor: () => '/documents/preview/html',
      bodyFor: (one) => ({ ...document(one), type: 'QUOTE' }),
      status: 400,
    },
    {
      what: 'a receipt',
      method: 'POST',
      pathFor: () => '/documents/allocate',
      bodyFor: ({ document: { id } }) => ({ receiptId: id, allocations: [{ documentId: 1, amount: 1 }] }),
      status: 400,
    },
    {
      what: 'a document to close',
      method: 'POST',
      pathFor: (one) => `/documents/close/${one.document.visibleId}`,
      status: 404,
    },
    {
      what: 'a document to cancel',
      method: 'POST',
      pathFor: (one) => `/documents/cancel/${one.document.visibleId}`,
      bodyFor: () => ({ reason: 'x' }),
      status: 404,
    },
    {
      what: 'a document to be given a number',
      method: 'POST',
      pathFor: (one) => `/documents/approval-number/${one.document.visibleId}`,
      bodyFor: () => ({ approvalNumber: '123456789' }),
      status: 404,
    },
    {
      what: 'an entity',
      method: 'GET',
      pathFor: (one) => `/documents?entityId=${one.entityId}`,
      status: 200,
    },
  ];
  const unknown: Company = {
    ownerKey: '',
    entityId: UNKNOWN_ID,
    entityVisibleId: UNKNOWN_UUID,
    fileId: UNKNOWN_ID,
    addressId: UNKNOWN_ID,
    contactId: UNKNOWN_ID,
    product: { productId: UNKNOWN_ID, visibleId: UNKNOWN_UUID },
    warehouseId: UNKNOWN_ID,
    otherWarehouseId: UNKNOWN_ID + 1,
    inventoryId: UNKNOWN_ID,
    expenseId: UNKNOWN_ID,
    purchase: { purchaseId: UNKNOWN_ID, visibleId: UNKNOWN_UUID },
    document: { id: UNKNOWN_ID, visibleId: UNKNOWN_UUID },
    endpointId: UNKNOWN_ENDPOINT,
    deliveryId: UNKNOWN_ID,
    replayId: UNKNOWN_ID,
    customFieldId: UNKNOWN_ID,
    documentExecutionStatusId: UNKNOWN_ID,
    savedReportId: UNKNOWN_ID,
    retainerId: UNKNOWN_ID,
    tokenId: UNKNOWN_ID,
    chargeId: UNKNOWN_ID,
    paymentPageId: UNKNOWN_ID,
    recurringPaymentId: UNKNOWN_ID,
    apiKeyId: UNKNOWN_ID,
  };

  it.each(rows)('$what, by $method: $status', async ({ method, pathFor, bodyFor, status }) => {
    const ask = async (company: Company) =>
      visible(await send(ours.ownerKey, method, pathFor(company), bodyFor?.(company)));
    const answered = await ask(theirs);
    expect(answered).toMatchObject({ status });
    expect(answered).toEqual(await ask(unknown));
  });

  it('and leaves what is theirs as it was', async () => {
    const product = await sendOk(theirs.ownerKey, 'GET', `/products/id/${theirs.product.productId}`);
    expect(product).toMatchObject({ name: 'Paper', sku: 'A4' });
    const { data: stock } = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/inventory');
    const level = { quantity: 5, reservedQuantity: 0, availableQuantity: 5, lowStockThreshold: 1 };
    expect(stock).toEqual([expect.objectContaining({ id: theirs.inventoryId, ...level })]);
    const moved = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/inventory/movements');
    expect(moved.data).toMatchObject([{ movement: { movementType: 'ADD', quantity: 5 } }]);
    const costs = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/expenses?include=all');
    expect(costs.data).toHaveLength(2);
    expect(costs.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          expense: expect.objectContaining({ id: theirs.expenseId, title: 'Theirs' }),
          file: expect.objectContaining({ id: theirs.fileId }),
        }),
        expect.objectContaining({ documentVisibleId: theirs.purchase.visibleId }),
      ]),
    );
    const path = `/documents/${theirs.document.id}`;
    const { id, visibleId } = theirs.document;
    expect(await sendOk(theirs.ownerKey, 'GET', path)).toMatchObject({ id, visibleId, number: 1 });
    const endpoints = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/webhooks');
    const endpoint = { id: theirs.endpointId, events: ['charge.failed'], pausedAt: expect.any(String) };
    expect(endpoints.data).toEqual([expect.objectContaining(endpoint)]);
    const deliveries = `/webhooks/${theirs.endpointId}/deliveries`;
    expect(await sendOk(theirs.ownerKey, 'GET', deliveries)).toMatchObject({
      data: [{ id: theirs.deliveryId, state: 'pending', attempts: [] }],
    });
    const { data: charges } = await sendOk<{ data: object[] }>(theirs.ownerKey, 'GET', '/gateway/charges');
    const { tokenId, chargeId } = theirs;
    expect(charges).toMatchObject([{ id: chargeId, tokenId, status: 'AUTHORIZED', capturedAmount: 0 }]);
    for (const [list, id] of [
      ['/gateway/tokens', tokenId],
      [RECURRING, theirs.recurringPaymentId],
    ])
      expect(await sendOk(theirs.ownerKey, 'GET', `${list}`)).toMatchObject({ data: [{ id }] });
    const keys = await sendOk<{ data: { id: number }[] }>(theirs.ownerKey, 'GET', '/api-keys');
    expect(keys.data.map(({ id }) => id)).toContain(theirs.apiKeyId);
  });

  it('and no list shows it', async () => {
    const lists: [list: string, theirId: unknown][] = [
      ['/vendors', theirs.entityId],
      ['/clients', theirs.entityId],
      ['/files', theirs.fileId],
      ['/custom-fields', theirs.customFieldId],
      ['/document-execution-statuses', theirs.documentExecutionStatusId],
      ['/reports/documents/saved', theirs.savedReportId],
      ['/retainers', theirs.retainerId],
      ['/gateway/tokens', theirs.tokenId],
      ['/gateway/charges', theirs.chargeId],
      [PAGES, theirs.paymentPageId],
      [RECURRING, theirs.recurringPaymentId],
      ['/addresses', theirs.addressId],
      ['/contacts', theirs.contactId],
      ['/products', theirs.product.productId],
      ['/warehouses', theirs.warehouseId],
      ['/inventory', theirs.inventoryId],
      ['/purchase', theirs.purchase.purchaseId],
      ['/documents', theirs.document.id],
      ['/webhooks', theirs.endpointId],
      ['/gateway/webhooks', theirs.endpointId],
      ['/api-keys', theirs.apiKeyId],
    ];
    for (const [list, theirId] of lists) {
      const { data } = await sendOk<{ data: { id: unknown }[] }>(ours.ownerKey, 'GET', `${list}?limit=200`);
      expect(data.length).toBeGreaterThan(0);
      expect(data.map(({ id }) => id)).not.toContain(theirId);
    }
    interface Cost {
      readonly expense: { readonly id: number };
      readonly documentVisibleId?: string;
    }
    const { data } = await sendOk<{ data: Cost[] }>(ours.ownerKey, 'GET', '/expenses?include=all&limit=200');
    expect(data.map(({ documentVisibleId, expense }) => documentVisibleId ?? expense.id).sort()).toEqual(
      [ours.expenseId, ours.purchase.visibleId].sort(),
    );
  });

  it('and both count and name their documents by themselves', async () => {
    const [first] = await service.database.query<{ number: number }>(
      'select number::int from documents where id = $1',
      [theirs.document.id],
    );
    expect(first!.number).toBe(1);
    expect(theirs.document.visibleId).not.toBe(ours.document.visibleId);
    const again = { entityId: theirs.entityId, items: [ITEM], externalId: 'order-1' };
    expect(await sendOk(theirs.ownerKey, 'POST', INVOICES, again)).toMatchObject({
      id: theirs.document.id,
      alreadyExists: true,
    });
  });
});

describe('the company', () => {
  const settings = {
    name: 'Renamed Ltd',
    taxId: '515151515',
    defaultPaymentTermType: 'CURRENT_PLUS_DAYS',
    defaultPaymentTermDays: 60,
    defaultWithholdingTaxRate: 12.5,
    defaultVatRate: 17,
    roundDocumentTotal: 'round',
  };
  let ownerKey: string;
  const read = () => sendOk<Record<string, unknown>>(ownerKey, 'GET', '/company');
  const edit = (changes: object) => send(ownerKey, 'PUT', '/company', changes);

  beforeAll(async () => {
    ({ ownerKey } = await service.admin<{ ownerKey: string }>('company:create', '--name', 'Fresh'));
  });

  it('starts out with the defaults', async () => {
    expect(await read()).toEqual({
      id: expect.any(Number),
      name: 'Fresh',
      taxId: null,
      defaultPaymentTermType: 'DAYS_ONLY',
      defaultPaymentTermDays: 30,
      defaultWithholdingTaxRate: 0,
      defaultVatRate: 18,
      roundDocumentTotal: 'none',
    });
  });

  it.each(Object.entries(settings))('lets %s be set to %j, and leaves the rest', async (field, value) => {
    const before = await read();
    expect(JSON.parse((await edit({ [field]: value })).text)).toEqual({ success: true });
    expect(await read()).toEqual({ ...before, [field]: value });
  });

  it.each(Object.keys(settings))('leaves %s where it is refused as null or empty', async (field) => {
    const before = await read();
    for (const value of [null, '', []]) {
      const changes = { [field]: value, name: 'Not saved' };
      const answer = await edit(field === 'name' ? { name: value } : changes);
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
    }
    expect(await read()).toEqual(before);
  });

  it.each([{}, { unknown: 1 }, { id: 1, companyId: 1 }])('is left as it is by %j', async (changes) => {
    const before = await read();
    expect((await edit(changes)).status).toBe(200);
    expect(await read()).toEqual(before);
  });

  it('has its VAT rate in force from the next document on, and only where an item names none', async () => {
    const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
    const { clientId } = await sendOk<{ clientId: number }>(ownerKey, 'POST', '/clients/create', client);
    const issue = async (item: object = {}) => {
      const asked = { entityId: clientId, items: [{ ...ITEM, ...item }] };
      return sendOk<{ id: number; tax: number }>(ownerKey, 'POST', INVOICES, asked);
    };
    await edit({ defaultVatRate: 17 });
    const old = await issue();
    expect(old.tax).toBe(17);
    await edit({ defaultVatRate: 8.25 });
    expect((await issue()).tax).toBe(8.25);
    expect((await issue({ vatRate: 18 })).tax).toBe(18);
    await edit({ defaultVatRate: 0 });
    expect((await issue()).tax).toBe(0);
    expect(await sendOk(ownerKey, 'GET', `/documents/${old.id}`)).toMatchObject({ tax: 17 });
  });
});
