import { startApiService, type TestService } from '@counterfoil/test-harness';
import { type Call, DescribedApi } from './described-api';
import { expectError } from './error-body';
import { closeConnections } from './http-exchange';
import { UNKNOWN_UUID } from './wire-values';

type Json = Record<string, unknown>;

interface List {
  readonly data: (Json & { readonly id: number })[];
  readonly pagination: Json;
}

interface Made {
  readonly clientId: number;
  readonly visibleId: string;
}

const NEW = { taxId: '514000000', name: 'Acme Ltd', type: 'COMPANY' };

let service: TestService;
let api: DescribedApi;

beforeAll(async () => {
  service = await startApiService();
  api = await DescribedApi.of(service);
});

afterAll(async () => {
  closeConnections();
  await service.stop();
});

/** Creates a separate company, so that its lists contain only the test's data. */
async function newOwner(name: string): Promise<string> {
  return (await service.createCompany(name)).ownerKey;
}

describe('addresses', () => {
  const create = (body: unknown, more: Call = {}) =>
    api.ok<{ addressId: number }>('POST /addresses/create', { body, ...more });

  it('are created and listed with every field, oldest first', async () => {
    const key = await newOwner('Addresses');
    const whole = { street: 'הרצל', city: 'חיפה', houseNumber: '12א', zipCode: '3100001', country: 'FR' };
    const made = await create(whole, { key });
    expect(made).toEqual({ success: true, addressId: expect.any(Number) });
    const bare = await create({ street: 'Herzl', city: 'Haifa', houseNumber: '', zipCode: null }, { key });
    const { data, pagination } = await api.ok<List>('GET /addresses', { key });
    expect(data).toEqual([
      { id: made.addressId, ...whole },
      { id: bare.addressId, street: 'Herzl', city: 'Haifa', houseNumber: null, zipCode: null, country: 'IL' },
    ]);
    expect(pagination).toMatchObject({ total: 2, limit: 50, offset: 0, hasMore: false });
    const second = await api.ok<List>('GET /addresses', { at: '/addresses?limit=1&page=2', key });
    expect(second.data.map(({ id }) => id)).toEqual([bare.addressId]);
    expect(second.pagination).toMatchObject({ total: 2, page: 2, totalPages: 2 });
  });

  it('are not visible to other companies', async () => {
    const key = await newOwner('Other addresses');
    const { addressId } = await create({ street: 'Herzl', city: 'Haifa' });
    expect((await api.ok<List>('GET /addresses', { key })).data).toEqual([]);
    const answer = await api.send('POST /clients/create', { body: { ...NEW, addressId }, key });
    expectError(answer, { status: 400, code: 'UNKNOWN_REFERENCE', field: 'addressId' });
  });
});

describe('contacts', () => {
  it('are created and listed with every field and their address, oldest first', async () => {
    const key = await newOwner('Contacts');
    const place = { street: 'Herzl', city: 'Haifa' };
    const { addressId } = await api.ok<{ addressId: number }>('POST /addresses/create', { body: place, key });
    const whole = {
      firstName: 'דנה',
      lastName: 'כהן',
      phoneNumber: '050-1234567',
      email: 'dana@acme.example',
    };
    const made = await api.ok<Json>('POST /contacts/create', { body: { ...whole, addressId }, key });
    expect(made).toEqual({ success: true, contactId: expect.any(Number) });
    const bare = await api.ok<Json>('POST /contacts/create', {
      body: { firstName: 'Noa', lastName: '' },
      key,
    });
    const { data, pagination } = await api.ok<List>('GET /contacts', { key });
    const address = { id: addressId, ...place, houseNumber: null, zipCode: null, country: 'IL' };
    const nothing = { lastName: null, phoneNumber: null, email: null, address: null };
    expect(data).toEqual([
      { id: made['contactId'], ...whole, address },
      { id: bare['contactId'], firstName: 'Noa', ...nothing },
    ]);
    expect(pagination).toMatchObject({ total: 2, limit: 50, hasMore: false });
    const second = await api.ok<List>('GET /contacts', { at: '/contacts?offset=1&limit=1', key });
    expect(second.data).toHaveLength(1);
  });

  it('with an unknown address are refused and not created', async () => {
    const key = await newOwner('Lost contacts');
    const body = { firstName: 'Lost', addressId: 999_999 };
    const answer = await api.send('POST /contacts/create', { body, key });
    expectError(answer, { status: 400, code: 'UNKNOWN_REFERENCE', field: 'addressId' });
    expect((await api.ok<List>('GET /contacts', { key })).data).toEqual([]);
  });

  it('can belong to several entities, a client and a vendor', async () => {
    const { contactId } = await api.ok<{ contactId: number }>('POST /contacts/create', {
      body: { firstName: 'Shared' },
    });
    const body = { ...NEW, existingContactId: contactId };
    const client = await api.ok<Made>('POST /clients/create', { body });
    const vendor = await api.ok<Made>('POST /vendors/create', { body });
    for (const at of [`/clients/id/${client.visibleId}`, `/vendors/id/${vendor.visibleId}`]) {
      const route = at.startsWith('/clients') ? 'GET /clients/id/{visibleId}' : 'GET /vendors/id/{visibleId}';
      expect(await api.ok(route, { at })).toMatchObject({
        contacts: [{ id: contactId, firstName: 'Shared' }],
      });
    }
  });
});

describe('clients: like vendors, without the buying side', () => {
  const ROW = {
    email: null,
    phoneNumber: null,
    paymentTermType: 'DAYS_ONLY',
    paymentTermDays: 30,
    companyId: expect.any(Number),
    address: null,
    logoFile: null,
    contacts: [],
  };
  const RECORD = {
    ...ROW,
    ledgerEntityAccountKey: null,
    specialVat: null,
    creditLimit: null,
    roundDocumentTotal: 'use_default',
    documentLanguage: null,
    reminders: true,
  };
  const create = (more: object = {}, call: Call = {}) =>
    api.ok<Made>('POST /clients/create', { body: { ...NEW, ...more }, ...call });
  const read = (visibleId: string) =>
    api.ok<Json>('GET /clients/id/{visibleId}', { at: `/clients/id/${visibleId}` });
  const edit = (visibleId: string, body: unknown, more: Call = {}) =>
    api.send('PUT /clients/edit/{visibleId}', { at: `/clients/edit/${visibleId}`, body, ...more });

  it('a row and a record have exactly these fields', async () => {
    const key = await newOwner('Clients');
    const { clientId, visibleId } = await create({}, { key });
    const { data } = await api.ok<List>('GET /clients', { key });
    expect(data).toEqual([{ ...ROW, ...NEW, id: clientId, visibleId }]);
    const at = `/clients/id/${visibleId}`;
    const record = await api.ok('GET /clients/id/{visibleId}', { at, key });
    expect(record).toEqual({ ...RECORD, ...NEW, id: clientId, visibleId });
  });

  it('the selling side can be written and read back', async () => {
    const { visibleId } = await create({ contact: { firstName: 'Dana' }, paymentTermDays: 10 });
    const changes = {
      taxId: '2',
      name: 'Renamed',
      type: 'PATOOR',
      email: 'a@b.example',
      phoneNumber: '03',
      paymentTermType: 'CURRENT_PLUS_DAYS',
      paymentTermDays: 90,
      ledgerEntityAccountKey: 'K1',
      specialVat: 0,
      creditLimit: 99.99,
      roundDocumentTotal: 'none',
      documentLanguage: 'en',
    };
    expect(JSON.parse((await edit(visibleId, changes)).text)).toEqual({ success: true, visibleId });
    const contacts = [expect.objectContaining({ firstName: 'Dana' })];
    expect(await read(visibleId)).toEqual({
      ...RECORD,
      ...changes,
      id: expect.any(Number),
      visibleId,
      contacts,
    });
    const cleared = {
      email: '',
      phoneNumber: '',
      paymentTermType: null,
      specialVat: null,
      creditLimit: null,
      documentLanguage: null,
    };
    expect((await edit(visibleId, cleared)).status).toBe(200);
    expect(await read(visibleId)).toMatchObject({
      ...{ email: null, phoneNumber: null, specialVat: null, creditLimit: null, documentLanguage: null },
      ...{ paymentTermType: 'DAYS_ONLY', paymentTermDays: 30, ledgerEntityAccountKey: 'K1' },
    });
  });

  it('fields of the buying side are ignored, and keep their values for an entity that is also a vendor', async () => {
    const { clientId, visibleId } = await create();
    await api.ok('POST /vendors/create', { body: { entityId: clientId } });
    const buying = { bankNumber: '10', withholdingTaxRate: 5, vendorInternalCode: 7, accountNumber: '1' };
    const ofVendor = { at: `/vendors/edit/${visibleId}`, body: buying };
    await api.ok('PUT /vendors/edit/{visibleId}', ofVendor);
    const body = { name: 'Both', bankNumber: '99', withholdingTaxRate: 50, vendorInternalCode: null };
    expect((await edit(visibleId, body, { holdsIgnored: true })).status).toBe(200);
    const vendor = await api.ok('GET /vendors/id/{visibleId}', { at: `/vendors/id/${visibleId}` });
    expect(vendor).toMatchObject({ ...buying, name: 'Both' });
    expect(Object.keys(await read(visibleId)).sort()).toEqual(
      Object.keys({ ...RECORD, ...NEW, id: 0, visibleId }).sort(),
    );
  });

  it.each([UNKNOWN_UUID, 'abc', '1'])(
    'an unknown one is 404 for reading and editing: %s',
    async (unknown) => {
      const answer = await api.send('GET /clients/id/{visibleId}', { at: `/clients/id/${unknown}` });
      expectError(answer, { status: 404, code: 'NOT_FOUND' });
      expectError(await edit(unknown, { name: 'X' }), { status: 404, code: 'NOT_FOUND' });
    },
  );

  it('a vendor that is not a client is 404, and not in any list of clients', async () => {
    const { visibleId } = await api.ok<Made>('POST /vendors/create', {
      body: { ...NEW, name: 'Only a vendor' },
    });
    const answer = await api.send('GET /clients/id/{visibleId}', { at: `/clients/id/${visibleId}` });
    expectError(answer, { status: 404, code: 'NOT_FOUND' });
    expectError(await edit(visibleId, { name: 'X' }), { status: 404, code: 'NOT_FOUND' });
    const list = await api.ok<List>('GET /clients', { at: '/clients?search=Only+a+vendor' });
    expect(list).toMatchObject({ data: [], pagination: { total: 0, totalPages: 0, hasMore: false } });
  });

  it('searching works like for vendors, and each list has its own rows', async () => {
    const key = await newOwner('Both sides');
    await create({ name: 'Client One', email: 'one@acme.example' }, { key });
    await create({ name: 'Client Two', type: 'PATOOR', contact: { firstName: 'Dana' } }, { key });
    await api.ok('POST /vendors/create', { body: { ...NEW, name: 'Vendor One' }, key });
    const names = async (query: string) =>
      (await api.ok<List>('GET /clients', { at: `/clients?${query}`, key })).data.map((row) => row['name']);
    expect(await names('search=one')).toEqual(['Client One']);
    expect(await names('sortBy=name&sortOrder=desc')).toEqual(['Client Two', 'Client One']);
    expect(await names('hasContacts=true')).toEqual(['Client Two']);
    expect(await names('type=COMPANY&email=ONE%40acme.example')).toEqual(['Client One']);
    expect(await names('limit=1&page=2')).toEqual(['Client Two']);
  });

  it('a bookkeeping key of a role without that permission is silently ignored', async () => {
    const { key } = await api.ok<{ key: string }>('POST /api-keys', {
      body: { role: 'editor', userName: 'Ed' },
    });
    const { visibleId } = await create({ ledgerEntityAccountKey: 'K' }, { key });
    await edit(visibleId, { ledgerEntityAccountKey: 'K', name: 'Saved' }, { key });
    expect(await read(visibleId)).toMatchObject({ ledgerEntityAccountKey: null, name: 'Saved' });
  });
});

describe('the terms of a client', () => {
  const CREATE = 'POST /documents/create/{type}';
  async function clientWith(terms: Json, key: string): Promise<number> {
    const { clientId, visibleId } = await api.ok<Made>('POST /clients/create', { body: NEW, key });
    const at = `/clients/edit/${visibleId}`;
    await api.ok('PUT /clients/edit/{visibleId}', { at, body: terms, key });
    return clientId;
  }

  const invoice = (entityId: number, unitPrice: number, key: string) => ({
    at: '/documents/create/tax-invoice',
    body: { entityId, items: [{ description: 'Work', quantity: 1, unitPrice }] },
    key,
  });

  it('apply to its invoices: its VAT, on the document and when the document is read', async () => {
    const key = await newOwner('Special VAT');
    const clientId = await clientWith({ specialVat: 7 }, key);
    const sums = { amount: 100, tax: 7, totalWithTax: 107 };
    const issued = await api.ok<Json>(CREATE, invoice(clientId, 100, key));
    expect(issued).toMatchObject(sums);
    const read = await api.ok('GET /documents/{id}', { at: `/documents/${Number(issued['id'])}`, key });
    expect(read).toMatchObject({ ...sums, items: [expect.objectContaining({ vatRate: 7 })] });
  });

  it('limit what it may owe: an invoice beyond the limit is 409 and takes no number', async () => {
    const key = await newOwner('Limited');
    const clientId = await clientWith({ specialVat: 0, creditLimit: 1_000 }, key);
    expect(await api.ok(CREATE, invoice(clientId, 600, key))).toMatchObject({ number: 1 });
    const refused = await api.send(CREATE, invoice(clientId, 400.01, key));
    expectError(refused, { status: 409, code: 'LIMIT_REACHED' });
    expect(refused.text).toContain('the client would owe 1000.01 ILS, and its creditLimit is 1000');
    expect(await api.ok(CREATE, invoice(clientId, 400, key))).toMatchObject({ number: 2 });
  });
});
