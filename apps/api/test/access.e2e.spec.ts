import { ROLES, type Permission, type Role } from '@counterfoil/kernel';
import { DEMO_KEY, until } from '@counterfoil/test-harness';
import { API_ROUTES, type ApiRoute, examplePath } from './api-routes';
import { expectError } from './error-body';
import { INVOICES, ITEM, MOVEMENTS } from './furnished-company';
import { ours, send, sendOk, serveTwoCompanies, service } from './two-companies';

serveTwoCompanies();

interface CreatedKey {
  readonly id: number;
  readonly key: string;
  readonly role: Role;
}

const createKey = (ownerKey: string, role: Role, userName = `The ${role}`): Promise<CreatedKey> =>
  sendOk(ownerKey, 'POST', '/api-keys', { role, userName });

describe('the permissions of a role', () => {
  const MAY: Record<Role, readonly Permission[]> = {
    owner: ['read', 'write', 'set-rates', 'administer'],
    accountant: ['read', 'write', 'set-rates'],
    editor: ['read', 'write'],
    viewer: ['read'],
  };
  /**
   * The status of each route for a caller with the required role and the request below. No call changes
   * anything permanently.
   */
  const SERVED: Readonly<Record<string, number>> = {
    'POST /api-keys': 400,
    'DELETE /api-keys/{id}': 404,
    'POST /sessions': 201,
    'DELETE /sessions/{id}': 404,
    'POST /custom-fields': 400,
    'POST /document-execution-statuses': 400,
    'POST /reports/documents/saved': 400,
    'POST /retainers/create': 400,
    'DELETE /retainers/{id}': 404,
    'POST /files/upload': 415,
    'DELETE /files/{id}': 404,
    'GET /files/{id}/content': 404,
    'POST /clients/create': 400,
    'PUT /clients/edit/{visibleId}': 404,
    'GET /clients/id/{visibleId}': 404,
    'GET /clients/id/{visibleId}/statement': 400,
    'GET /clients/id/{visibleId}/statement/pdf': 400,
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
    'GET /documents/id/{id}/pdf': 404,
    'GET /documents/id/{id}/ubl': 404,
    'GET /documents/id/{id}/cii': 404,
    'POST /documents/id/{id}/send': 400,
    'GET /documents/id/{id}/reminders': 404,
    'PUT /documents/id/{id}/reminders': 400,
    'GET /mails/{id}': 404,
    'GET /documents/id/{id}/html': 404,
    'POST /documents/id/{id}/share': 404,
    'GET /documents/id/{id}/shares': 404,
    'DELETE /documents/id/{id}/shares/{shareId}': 404,
    'GET /d/{token}': 404,
    'GET /d/{token}/pdf': 404,
    'POST /documents/preview': 400,
    'POST /documents/preview/html': 400,
    'POST /documents/preview/pdf': 400,
    'POST /documents/close/{visibleId}': 404,
    'POST /documents/cancel/{visibleId}': 400,
    'POST /documents/allocate': 400,
    'POST /documents/approval-number/{visibleId}': 400,
    'POST /webhooks': 400,
    'POST /webhooks/trigger': 400,
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
    'POST /gateway/webhooks/trigger': 400,
    'POST /gateway/webhooks/{id}/replay': 400,
    // The other routes under an endpoint's id, which is unknown here.
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

  it('lets only roles with write access issue a document', async () => {
    const asked = { entityId: ours.entityId, items: [ITEM] };
    for (const role of ['owner', 'accountant', 'editor'] as const) {
      expect((await send(keys.get(role)!, 'POST', INVOICES, asked)).status).toBe(201);
    }
    const refused = await send(keys.get('viewer')!, 'POST', INVOICES, asked);
    expectError(refused, { status: 403, code: 'FORBIDDEN' });
  });
});

describe('stock movements', () => {
  it('are allowed only for roles with write access, and every movement names its user', async () => {
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

  it('is shown once; afterwards neither it nor its hash appears anywhere', async () => {
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
    expect(service.logOf('api')).not.toContain(created.key.slice(8));
    const { lastUsedAt, ...shown } = (await listed()).find(({ id }) => id === created.id)!;
    expect(lastUsedAt === null || lastUsedAt.endsWith('Z')).toBe(true);
    expect(shown).toEqual({
      id: created.id,
      name: null,
      role: 'editor',
      userId: expect.any(Number),
      userName: 'Dana',
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      addresses: null,
    });
  });

  it('is always unique, and two keys of one user identify the same user', async () => {
    const [first, second] = await Promise.all([
      createKey(DEMO_KEY, 'viewer', 'Noa'),
      createKey(DEMO_KEY, 'viewer', 'Noa'),
    ]);
    expect(first.key).not.toBe(second.key);
    const users = await service.database.query(`select id from users where name = 'Noa'`);
    expect(users).toHaveLength(1);
  });

  it('records when it was last used', async () => {
    const { id, key } = await createKey(DEMO_KEY, 'viewer');
    const lastUse = async () => (await listed()).find((one) => one.id === id)!.lastUsedAt;
    expect(await lastUse()).toBeNull();
    const before = Date.now();
    await sendOk(key, 'GET', '/company');
    const used = await until('the use to be noted', lastUse);
    expect(Date.parse(used)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(used)).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('is refused from the next request on after it was revoked, and cannot be revoked twice', async () => {
    const { id, key } = await createKey(DEMO_KEY, 'owner');
    await sendOk(key, 'GET', '/documents');
    expect(await sendOk(DEMO_KEY, 'DELETE', `/api-keys/${id}`)).toEqual({ success: true });
    for (const path of ['/documents', '/company']) {
      expectError(await send(key, 'GET', path), { status: 401, code: 'UNAUTHENTICATED' });
    }
    expectError(await send(DEMO_KEY, 'DELETE', `/api-keys/${id}`), { status: 404, code: 'NOT_FOUND' });
    expect((await listed()).map((one) => one.id)).not.toContain(id);
  });

  it('can revoke itself', async () => {
    const { id, key } = await createKey(DEMO_KEY, 'owner');
    expect(await sendOk(key, 'DELETE', `/api-keys/${id}`)).toEqual({ success: true });
    expectError(await send(key, 'GET', '/company'), { status: 401, code: 'UNAUTHENTICATED' });
  });

  it('cannot be revoked if it is the last owner key of its company, except by an operator', async () => {
    const { companyId, ownerKey } = await service.createCompany('Owned once');
    await createKey(ownerKey, 'accountant');
    const { data } = JSON.parse((await send(ownerKey, 'GET', '/api-keys')).text) as {
      data: { id: number; role: string }[];
    };
    const { id } = data.find(({ role }) => role === 'owner')!;
    const refused = await send(ownerKey, 'DELETE', `/api-keys/${id}`);
    expectError(refused, { status: 409, code: 'INVALID_STATE' });
    expect(refused.text).toContain('create another owner key first');
    await sendOk(ownerKey, 'GET', '/company');
    expect(await service.admin('key:revoke', '--id', String(id))).toEqual({
      id,
      revoked: true,
      note: `company ${companyId} has no owner key left: make one with key:create --company ${companyId} --role owner`,
    });
    expectError(await send(ownerKey, 'GET', '/company'), { status: 401, code: 'UNAUTHENTICATED' });
  });

  it('works and ends in the same way if an operator created it', async () => {
    const { companyId } = await service.admin<{ companyId: number }>('company:create', '--name', 'Operated');
    const company = String(companyId);
    const made = await service.admin<CreatedKey>('key:create', '--company', company, '--role', 'viewer');
    expect(await sendOk(made.key, 'GET', '/company')).toMatchObject({ id: companyId, name: 'Operated' });
    expectError(await send(made.key, 'PUT', '/company', {}), { status: 403, code: 'FORBIDDEN' });
    await service.admin('key:revoke', '--id', String(made.id));
    expectError(await send(made.key, 'GET', '/company'), { status: 401, code: 'UNAUTHENTICATED' });
  });
});

describe('an admin command', () => {
  it('is described instead of executed with --help, without a database', async () => {
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:9/none' };
    const { code, output } = await service.startAdmin(['epoch:renew', '--help'], nowhere).outcome();
    expect({ code, output }).toEqual({ code: 0, output: '  npm run -s admin -- epoch:renew\n' });
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
    reminderDays: [-3, 0, 7],
    bankAccounts: [
      { bank: '12 Hapoalim', branch: '600', account: '123456', iban: 'IL620108000000099999999' },
      { bank: 'Leumi', branch: null, account: '77', iban: null },
    ],
  };
  const LISTS = ['bankAccounts', 'reminderDays'];
  /** Settings that null removes. */
  const particulars = {
    legalName: 'Renamed Holdings Ltd',
    address: { street: 'Herzl', houseNumber: '12a', city: 'Tel Aviv', zipCode: '6688109', country: 'IL' },
    phoneNumber: '03-5555555',
    email: 'billing@renamed.example',
    website: 'https://renamed.example',
    documentFooter: 'Thank you\nfor your business',
    accentColor: '#1a5fb4',
    documentLanguage: 'he',
  };
  let ownerKey: string;
  const read = () => sendOk<Record<string, unknown>>(ownerKey, 'GET', '/company');
  const edit = (changes: object) => send(ownerKey, 'PUT', '/company', changes);

  beforeAll(async () => {
    ({ ownerKey } = await service.createCompany('Fresh'));
  });

  it('starts with the defaults', async () => {
    expect(await read()).toEqual({
      id: expect.any(Number),
      name: 'Fresh',
      taxId: null,
      defaultPaymentTermType: 'DAYS_ONLY',
      defaultPaymentTermDays: 30,
      defaultWithholdingTaxRate: 0,
      defaultVatRate: 18,
      logoFile: null,
      roundDocumentTotal: 'none',
      booksClosedUntil: null,
      ...Object.fromEntries(Object.keys(particulars).map((field) => [field, null])),
      bankAccounts: [],
      reminderDays: [],
    });
  });

  it.each(Object.entries(settings))(
    'accepts %s as %j, and leaves the other fields unchanged',
    async (field, value) => {
      const before = await read();
      expect(JSON.parse((await edit({ [field]: value })).text)).toEqual({ success: true });
      expect(await read()).toEqual({ ...before, [field]: value });
    },
  );

  it.each(Object.entries(particulars))('accepts %s as %j, and clears it again', async (field, value) => {
    const before = await read();
    expect((await edit({ [field]: value })).status).toBe(200);
    expect(await read()).toEqual({ ...before, [field]: value });
    expect((await edit({ [field]: null })).status).toBe(200);
    expect(await read()).toEqual({ ...before, [field]: null });
  });

  it('completes an address and an account of which only a part is sent', async () => {
    const sent = {
      address: { street: 'Herzl 1', city: 'Haifa', zipCode: '' },
      bankAccounts: [{ bank: '12', account: '1' }],
    };
    expect((await edit(sent)).status).toBe(200);
    expect(await read()).toMatchObject({
      address: { street: 'Herzl 1', city: 'Haifa', houseNumber: null, zipCode: null, country: 'IL' },
      bankAccounts: [{ bank: '12', branch: null, account: '1', iban: null }],
    });
  });

  it('refuses an IBAN with wrong check digits', async () => {
    const before = await read();
    for (const iban of ['IL000000000000000000000', 'IL620108000000099999998']) {
      const answer = await edit({ bankAccounts: [{ bank: '12', account: '1', iban }], name: 'Not saved' });
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'bankAccounts[0].iban' });
    }
    expect(await read()).toEqual(before);
  });

  it.each(Object.keys(settings))('leaves %s unchanged when it is refused as null or empty', async (field) => {
    const before = await read();
    for (const value of [null, '', LISTS.includes(field) ? {} : []]) {
      const changes = { [field]: value, name: 'Not saved' };
      const answer = await edit(field === 'name' ? { name: value } : changes);
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
    }
    expect(await read()).toEqual(before);
  });

  it.each([{}, { unknown: 1 }, { id: 1, companyId: 1 }])('is not changed by %j', async (changes) => {
    const before = await read();
    expect((await edit(changes)).status).toBe(200);
    expect(await read()).toEqual(before);
  });

  it('can close its books until a day, and reopen them', async () => {
    const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
    const { clientId } = await sendOk<{ clientId: number }>(ownerKey, 'POST', '/clients/create', client);
    const dated = { entityId: clientId, items: [ITEM], issueDate: '2026-05-31' };
    expect((await edit({ booksClosedUntil: '2026-06-01' })).status).toBe(200);
    expect(await read()).toMatchObject({ booksClosedUntil: '2026-06-01' });
    for (const path of [INVOICES, '/documents/preview']) {
      const answer = await send(ownerKey, 'POST', path, { ...dated, type: 'TAX_INVOICE' });
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'issueDate' });
    }
    expect((await edit({ booksClosedUntil: null })).status).toBe(200);
    await sendOk(ownerKey, 'POST', INVOICES, dated);
  });

  it('applies its VAT rate from the next document on, unless an item has its own', async () => {
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
