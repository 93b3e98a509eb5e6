import { expectError } from './error-body';
import { exchange } from './http-exchange';
import {
  addressId,
  api,
  contactId,
  create,
  edit,
  type Ids,
  type Json,
  type List,
  list,
  NEW,
  otherAddressId,
  read,
  RECORD_UNSET,
  serveVendors,
  service,
} from './vendor-calls';
import { UNKNOWN_UUID } from './wire-values';

serveVendors();

describe('POST /vendors/create', () => {
  it('answers 201 { success, vendorId } and the public id', async () => {
    const answer = await api.send('POST /vendors/create', { body: NEW });
    expect(answer.status).toBe(201);
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(answer.text)).toEqual({ success: true, vendorId: expect.any(Number), visibleId: uuid });
  });

  const values: [field: string, sent: unknown, shown?: unknown][] = [
    ['taxId', '51-400000/1'],
    ['name', 'אקמה בע"מ'],
    ['type', 'PATOOR'],
    ['type', 'MURSHE'],
    ['email', 'books@acme.example'],
    ['phoneNumber', '+972-3-555-0000-1234'],
    ['paymentTermType', 'CURRENT_PLUS_DAYS'],
    ['paymentTermType', 'DAYS_ONLY'],
    ['paymentTermDays', 0],
    ['paymentTermDays', 365],
    ['ledgerEntityAccountKey', '12345678'],
    ['taxDeductionsFileNumber', '935000000'],
    ['withholdingTaxRate', 0],
    ['withholdingTaxRate', 2.5],
    ['withholdingTaxRate', 100],
    ['withholdingCertificateNumber', 'C-1/2026'],
    ['withholdingValidFrom', '2026-01-01'],
    ['withholdingValidUntil', '2026-12-31'],
    ['withholdingBase', 'with_vat'],
    ['withholdingBase', 'without_vat'],
  ];
  it.each(values)('%s · %j is stored', async (field, value) => {
    const { visibleId } = await create({ [field]: value });
    expect(await read(visibleId)).toEqual({
      ...RECORD_UNSET,
      ...NEW,
      id: expect.any(Number),
      companyId: 1,
      visibleId,
      [field]: value,
    });
  });

  it.each([
    ['email', ''],
    ['phoneNumber', ''],
    ['ledgerEntityAccountKey', ''],
    ['taxDeductionsFileNumber', ''],
    ['withholdingCertificateNumber', ''],
    ...[
      ...['email', 'phoneNumber', 'addressId', 'logoFileId', 'paymentTermType', 'paymentTermDays', 'contact'],
      ...['existingContactId', 'ledgerEntityAccountKey', 'taxDeductionsFileNumber', 'withholdingTaxRate'],
      ...['withholdingCertificateNumber', 'withholdingValidFrom', 'withholdingValidUntil', 'withholdingBase'],
      'withholdingFileId',
    ].map((field): [string, null] => [field, null]),
  ])('%s · %j counts as omitted', async (field, value) => {
    const { visibleId } = await create({ [field]: value });
    expect(await read(visibleId)).toMatchObject(RECORD_UNSET);
  });

  it('addressId · an existing address', async () => {
    const { visibleId } = await create({ addressId });
    expect((await read(visibleId))['address']).toMatchObject({
      id: addressId,
      city: 'Haifa',
      street: 'Herzl',
    });
  });

  it('existingContactId · attaches a contact, and contact is ignored', async () => {
    for (const contact of [{ firstName: 'Ignored' }, { lastName: 5 }, 'nonsense', [[]]]) {
      const { visibleId } = await create({ existingContactId: contactId, contact }, { holdsIgnored: true });
      expect((await read(visibleId))['contacts']).toEqual([expect.objectContaining({ id: contactId })]);
    }
    expect((await api.ok<List>('GET /contacts', { at: '/contacts?limit=200' })).data).not.toContainEqual(
      expect.objectContaining({ firstName: 'Ignored' }),
    );
  });

  it('contact · is created with the vendor, with every field', async () => {
    const sent = { firstName: 'Dana', lastName: 'Cohen', phoneNumber: '050-1', email: 'dana@acme.example' };
    const { visibleId } = await create({ contact: { ...sent, addressId: otherAddressId } });
    const address = expect.objectContaining({ id: otherAddressId, street: 'Allenby' });
    expect((await read(visibleId))['contacts']).toEqual([{ ...sent, id: expect.any(Number), address }]);
    const { data } = await api.ok<List>('GET /contacts', { at: '/contacts?limit=200' });
    expect(data).toContainEqual(expect.objectContaining(sent));
  });

  it.each([
    ['firstName', 'דנה'],
    ['lastName', 'כהן-לוי'],
    ['phoneNumber', '+972-50-000-00-00-00'],
    ['email', 'dana@acme.example'],
  ])('contact.%s · %j is stored', async (field, value) => {
    const { visibleId } = await create({ contact: { firstName: 'Dana', [field]: value } });
    expect((await read(visibleId))['contacts']).toMatchObject([{ [field]: value }]);
  });

  it('contact.addressId · an existing address', async () => {
    const { visibleId } = await create({ contact: { firstName: 'Dana', addressId } });
    expect((await read(visibleId))['contacts']).toMatchObject([
      { address: { id: addressId, city: 'Haifa' } },
    ]);
  });

  it('contact.firstName · is the only required field of a contact', async () => {
    const { visibleId } = await create({ contact: { firstName: 'Dana', lastName: '', email: null } });
    const nothing = { lastName: null, phoneNumber: null, email: null, address: null };
    expect((await read(visibleId))['contacts']).toEqual([
      { id: expect.any(Number), firstName: 'Dana', ...nothing },
    ]);
  });

  it.each(['bankNumber', 'branchNumber', 'accountNumber', 'vendorInternalCode', 'creditLimit', 'nonsense'])(
    '%s cannot be set on creation: it is ignored like unknown fields',
    async (field) => {
      const { visibleId } = await create({ [field]: '12' }, { holdsIgnored: true });
      const { [field]: value = null } = await read(visibleId);
      expect(value).toBeNull();
    },
  );

  it.each([
    ['addressId', { addressId: 999_999 }],
    ['existingContactId', { existingContactId: 999_999 }],
    ['contact.addressId', { contact: { firstName: 'Lost', addressId: 999_999 } }],
    ['logoFileId', { logoFileId: 1 }],
    ['withholdingFileId', { withholdingFileId: 1 }],
    ['entityId', { entityId: 999_999 }],
  ])('%s · of another company is UNKNOWN_REFERENCE, and nothing is created', async (field, more) => {
    const before = (await list('limit=1')).pagination['total'];
    const answer = await api.send('POST /vendors/create', { body: { ...NEW, ...more } });
    expectError(answer, { status: 400, code: 'UNKNOWN_REFERENCE', field });
    expect((await list('limit=1')).pagination['total']).toBe(before);
    const { data } = await api.ok<List>('GET /contacts', { at: '/contacts?limit=200' });
    expect(data).not.toContainEqual(expect.objectContaining({ firstName: 'Lost' }));
  });

  it('withholdingValidUntil · must not be before withholdingValidFrom', async () => {
    const body = { ...NEW, withholdingValidFrom: '2026-06-02', withholdingValidUntil: '2026-06-01' };
    const answer = await api.send('POST /vendors/create', { body });
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'withholdingValidUntil' });
    await create({ withholdingValidFrom: '2026-06-02', withholdingValidUntil: '2026-06-02' });
  });

  it('a tax id need not be unique', async () => {
    const [one, other] = [await create(), await create()];
    expect(one.vendorId).not.toBe(other.vendorId);
  });

  it.each(['CON', '\u202eevil', "Robert'); drop table entities;--", '<script>', 'שלום 😀', '%_\\'])(
    'name · %j is stored unchanged',
    async (name) => {
      const { visibleId } = await create({ name });
      expect(await read(visibleId)).toMatchObject({ name });
      const { data } = await list(`search=${encodeURIComponent(name)}`);
      expect(data.map((row) => row.name)).toContain(name);
    },
  );
});

describe('PUT /vendors/edit/:visibleId', () => {
  const STORED = {
    taxId: '514000001',
    name: 'Stored Ltd',
    email: 'stored@acme.example',
    phoneNumber: '03-1',
    type: 'COMPANY',
    paymentTermType: 'CURRENT_PLUS_DAYS',
    paymentTermDays: 45,
    bankNumber: '10',
    branchNumber: '800',
    accountNumber: '123456',
    accountingCustomerNumber: 'CUST-9',
    vendorInternalCode: 12,
    ledgerEntityAccountKey: 'KEY1',
    specialVat: 17,
    creditLimit: 5000.5,
    roundDocumentTotal: 'round',
    documentLanguage: 'he',
    taxDeductionsFileNumber: '935',
    withholdingTaxRate: 3,
    withholdingCertificateNumber: 'C-1',
    withholdingValidFrom: '2026-01-01',
    withholdingValidUntil: '2026-12-31',
    withholdingBase: 'with_vat',
  };
  let stored: Json;
  let visibleId: string;

  beforeEach(async () => {
    ({ visibleId } = await create({ addressId }));
    expect((await edit(visibleId, STORED)).status).toBe(200);
    stored = await read(visibleId);
    expect(stored).toMatchObject(STORED);
  });

  /**
   * Cases for each field of contract §5.2: another value, and the effects of null and of an empty text, which
   * are a change to a value or a refusal.
   */
  type Outcome = Json | 'refused' | 'left';
  const matrix: [field: string, rows: { value: unknown; null: Outcome; empty: Outcome }][] = [
    ['taxId', { value: '1', null: 'refused', empty: 'refused' }],
    ['name', { value: 'Renamed', null: 'refused', empty: 'refused' }],
    ['email', { value: 'new@acme.example', null: 'refused', empty: { email: null } }],
    ['phoneNumber', { value: '04-2', null: 'refused', empty: { phoneNumber: null } }],
    ['type', { value: 'PATOOR', null: 'refused', empty: 'refused' }],
    ['addressId', { value: 'another', null: { address: null }, empty: 'refused' }],
    ['logoFileId', { value: 'unknown', null: 'refused', empty: 'refused' }],
    [
      'paymentTermType',
      {
        value: 'DAYS_ONLY',
        null: { paymentTermType: 'DAYS_ONLY', paymentTermDays: 30 },
        empty: 'refused',
      },
    ],
    ['paymentTermDays', { value: 7, null: 'refused', empty: 'refused' }],
    ['bankNumber', { value: '12', null: 'refused', empty: { bankNumber: null } }],
    ['branchNumber', { value: '1', null: 'refused', empty: { branchNumber: null } }],
    ['accountNumber', { value: '9', null: 'refused', empty: { accountNumber: null } }],
    ['accountingCustomerNumber', { value: 'X', null: 'refused', empty: { accountingCustomerNumber: null } }],
    [
      'vendorInternalCode',
      { value: 0, null: { vendorInternalCode: null }, empty: { vendorInternalCode: null } },
    ],
    ['ledgerEntityAccountKey', { value: 'NEW', null: 'refused', empty: 'left' }],
    ['specialVat', { value: 0, null: { specialVat: null }, empty: 'refused' }],
    ['creditLimit', { value: 0, null: { creditLimit: null }, empty: 'refused' }],
    ['roundDocumentTotal', { value: 'none', null: 'refused', empty: 'refused' }],
    ['documentLanguage', { value: 'en', null: { documentLanguage: null }, empty: 'refused' }],
    ['taxDeductionsFileNumber', { value: '1', null: 'refused', empty: { taxDeductionsFileNumber: null } }],
    ['withholdingTaxRate', { value: 0, null: { withholdingTaxRate: 0 }, empty: 'refused' }],
    [
      'withholdingCertificateNumber',
      { value: 'C-2', null: 'refused', empty: { withholdingCertificateNumber: null } },
    ],
    ['withholdingValidFrom', { value: '2026-02-01', null: 'refused', empty: 'refused' }],
    ['withholdingValidUntil', { value: '2027-01-01', null: 'refused', empty: 'refused' }],
    ['withholdingBase', { value: 'without_vat', null: 'refused', empty: 'refused' }],
    ['withholdingFileId', { value: 'unknown', null: 'refused', empty: 'refused' }],
  ];

  it('the matrix has every field of contract §5.2', () => {
    expect(matrix.map(([field]) => field).sort()).toEqual(
      [...Object.keys(STORED), 'addressId', 'logoFileId', 'withholdingFileId'].sort(),
    );
  });

  async function expectOutcome(field: string, sent: unknown, outcome: Outcome): Promise<void> {
    const answer = await edit(visibleId, { [field]: sent });
    if (outcome === 'refused') {
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
      expect(await read(visibleId)).toEqual(stored);
      return;
    }
    expect(JSON.parse(answer.text)).toEqual({ success: true, visibleId });
    expect(await read(visibleId)).toEqual(outcome === 'left' ? stored : { ...stored, ...outcome });
  }

  it.each(matrix)('%s · null', async (field, rows) => expectOutcome(field, null, rows.null));
  it.each(matrix)('%s · an empty text', async (field, rows) => expectOutcome(field, '', rows.empty));
  it.each(matrix)('%s · another value', async (field, { value }) => {
    if (value === 'unknown') {
      const answer = await edit(visibleId, { [field]: 1 });
      return expectError(answer, { status: 400, code: 'UNKNOWN_REFERENCE', field });
    }
    if (field !== 'addressId') return expectOutcome(field, value, { [field]: value });
    const street = { id: otherAddressId, street: 'Allenby' };
    await expectOutcome(field, otherAddressId, { address: expect.objectContaining(street) });
  });
  it.each(matrix)('%s · omitted stays unchanged', async (field) => {
    const sent = field === 'name' ? { taxId: '2' } : { name: 'Other' };
    expect((await edit(visibleId, sent)).status).toBe(200);
    expect(await read(visibleId)).toEqual({ ...stored, ...sent });
  });

  it.each([
    {},
    { unknown: 1 },
    { id: 5, visibleId: UNKNOWN_UUID, companyId: 9, isVendor: false, hasContacts: true },
  ])('changes nothing for %j', async (body) => {
    expect((await edit(visibleId, body, { holdsIgnored: true })).status).toBe(200);
    expect(await read(visibleId)).toEqual(stored);
  });

  it('saves nothing if one field is refused', async () => {
    const answer = await edit(visibleId, { name: 'Not saved', specialVat: 101 });
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'specialVat' });
    const other = await edit(visibleId, { name: 'Not saved', addressId: 999_999 });
    expectError(other, { status: 400, code: 'UNKNOWN_REFERENCE', field: 'addressId' });
    expect(await read(visibleId)).toEqual(stored);
  });

  it('paymentTermType · null also clears the days, unless days are sent', async () => {
    await edit(visibleId, { paymentTermType: null, paymentTermDays: 90 });
    expect(await read(visibleId)).toEqual({ ...stored, paymentTermType: 'DAYS_ONLY', paymentTermDays: 90 });
  });

  it('withholdingValidUntil · is validated together with the stored values', async () => {
    const early = await edit(visibleId, { withholdingValidUntil: '2025-12-31' });
    expectError(early, { status: 400, code: 'VALIDATION_FAILED', field: 'withholdingValidUntil' });
    const late = await edit(visibleId, { withholdingValidFrom: '2027-01-01' });
    expectError(late, { status: 400, code: 'VALIDATION_FAILED', field: 'withholdingValidUntil' });
    const both = { withholdingValidFrom: '2027-01-01', withholdingValidUntil: '2027-12-31' };
    expect((await edit(visibleId, both)).status).toBe(200);
    expect(await read(visibleId)).toEqual({ ...stored, ...both });
  });

  it('keeps two concurrent edits of different fields', async () => {
    const fields = {
      name: 'Raced',
      email: 'raced@acme.example',
      bankNumber: '99',
      creditLimit: 1,
      specialVat: 2,
    };
    const edits = Object.entries(fields).map(([field, value]) => edit(visibleId, { [field]: value }));
    for (const { status } of await Promise.all(edits)) expect(status).toBe(200);
    expect(await read(visibleId)).toEqual({ ...stored, ...fields });
  });

  it('never stores a certificate that ends before it begins, also with concurrent edits', async () => {
    for (let round = 0; round < 10; round++) {
      await edit(visibleId, { withholdingValidFrom: '2026-01-01', withholdingValidUntil: '2026-12-31' });
      await Promise.all([
        edit(visibleId, { withholdingValidFrom: '2026-09-01' }),
        edit(visibleId, { withholdingValidUntil: '2026-03-01' }),
      ]);
      const { withholdingValidFrom: from, withholdingValidUntil: until } = await read(visibleId);
      expect(String(from) <= String(until)).toBe(true);
    }
  });

  it.each([UNKNOWN_UUID, 'abc', '1'])('is 404 for an unknown vendor: %s', async (unknown) => {
    expectError(await edit(unknown, { name: 'X' }), { status: 404, code: 'NOT_FOUND' });
  });

  it('is 404 for a client that is not a vendor, before anything else is checked', async () => {
    const client = await api.ok<Ids>('POST /clients/create', { body: NEW });
    const answer = await edit(client.visibleId, { addressId: 999_999 });
    expectError(answer, { status: 404, code: 'NOT_FOUND' });
  });

  it('DELETE of a vendor is 405, because vendors are never removed', async () => {
    const answer = await exchange(service.url, { method: 'DELETE', path: `/vendors/id/${visibleId}` });
    expectError(answer, { status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(await read(visibleId)).toEqual(stored);
  });
});

describe('Limits', () => {
  const limits: [limit: string, field: string, most: unknown, more: unknown][] = [
    ['vendor phoneNumber: up to 20 characters', 'phoneNumber', '☎'.repeat(20), '1'.repeat(21)],
    ['bookkeeping account key: up to 8 characters', 'ledgerEntityAccountKey', 'מפתח1234', '123456789'],
    ['withholdingTaxRate: 0-100', 'withholdingTaxRate', 100, 100.0001],
    ['withholdingTaxRate: 0-100', 'withholdingTaxRate', 0, -0.0001],
    ['withholdingTaxRate: 0-100', 'withholdingTaxRate', 99.9999, 33.33333],
  ];

  it.each(limits)('%s, on creation (%s)', async (_, field, most, more) => {
    const { visibleId } = await create({ [field]: most });
    expect(await read(visibleId)).toMatchObject({ [field]: most });
    const answer = await api.send('POST /vendors/create', { body: { ...NEW, [field]: more } });
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
  });

  const ofEdits: typeof limits = [
    ...limits,
    ['specialVat: 0-100', 'specialVat', 100, 100.0001],
    ['specialVat: 0-100', 'specialVat', 0, -1],
  ];
  it.each(ofEdits)('%s, in an edit (%s)', async (_, field, most, more) => {
    const { visibleId } = await create();
    expect((await edit(visibleId, { [field]: most })).status).toBe(200);
    expectError(await edit(visibleId, { [field]: more }), { status: 400, code: 'VALIDATION_FAILED', field });
    expect(await read(visibleId)).toMatchObject({ [field]: most });
  });

  it('page size: default 50, clamped to 1-200', async () => {
    const sizeOf = async (query: string) => (await list(query)).pagination['pageSize'];
    expect(await sizeOf('')).toBe(50);
    expect(await sizeOf('limit=0')).toBe(1);
    expect(await sizeOf('pageSize=201')).toBe(200);
  });
});

describe("the company's defaults", () => {
  it('apply to a vendor without its own, and change with the company', async () => {
    const { visibleId } = await create({ name: 'Defaulted' });
    const own = await create({
      taxId: 'OWN',
      paymentTermType: 'DAYS_ONLY',
      paymentTermDays: 0,
      withholdingTaxRate: 0,
    });
    const settings = {
      defaultPaymentTermType: 'CURRENT_PLUS_DAYS',
      defaultPaymentTermDays: 75,
      defaultWithholdingTaxRate: 20,
    };
    const inForce = { paymentTermType: 'CURRENT_PLUS_DAYS', paymentTermDays: 75, withholdingTaxRate: 20 };
    await api.ok('PUT /company', { body: settings });
    try {
      expect(await read(visibleId)).toMatchObject(inForce);
      expect((await list('search=Defaulted')).data).toEqual([expect.objectContaining(inForce)]);
      // 0 is a value of its own and not a default.
      const kept = { paymentTermType: 'DAYS_ONLY', paymentTermDays: 0, withholdingTaxRate: 0 };
      expect(await read(own.visibleId)).toMatchObject(kept);
      const { data } = await list('taxId=OWN');
      expect(data).toEqual([expect.objectContaining(kept)]);
      await edit(own.visibleId, { paymentTermType: null, withholdingTaxRate: null });
      expect(await read(own.visibleId)).toMatchObject(inForce);
    } finally {
      const before = { defaultPaymentTermType: 'DAYS_ONLY', defaultPaymentTermDays: 30 };
      await api.ok('PUT /company', { body: { ...before, defaultWithholdingTaxRate: 0 } });
    }
  });

  it("specialVat and creditLimit are null if unset, whatever the company's defaults", async () => {
    const { visibleId } = await create();
    expect(await read(visibleId)).toMatchObject({ specialVat: null, creditLimit: null });
  });
});

describe('one entity that is both vendor and client', () => {
  it('a client becomes a vendor: same id, same visibleId, one name, one contact', async () => {
    const body = { ...NEW, name: 'Both', contact: { firstName: 'Dana' }, email: 'both@acme.example' };
    const client = await api.ok<{ clientId: number; visibleId: string }>('POST /clients/create', { body });
    expect(await read(client.visibleId)).toBeNull();
    const asked = { entityId: client.clientId, name: 'Ignored' };
    const answer = await api.send('POST /vendors/create', { body: asked, holdsIgnored: true });
    expect(answer.status).toBe(201);
    const ids = { vendorId: client.clientId, visibleId: client.visibleId };
    expect(JSON.parse(answer.text)).toEqual({ success: true, ...ids });
    expect(await read(client.visibleId)).toMatchObject({
      id: client.clientId,
      name: 'Both',
      email: 'both@acme.example',
      contacts: [{ firstName: 'Dana' }],
    });
    await edit(client.visibleId, { name: 'Both, renamed' });
    const at = `/clients/id/${client.visibleId}`;
    expect(await api.ok('GET /clients/id/{visibleId}', { at })).toMatchObject({ name: 'Both, renamed' });
    expect((await list('search=Both%2C+renamed')).pagination).toMatchObject({ total: 1 });
  });

  it('a vendor becomes a client only once', async () => {
    const { vendorId, visibleId } = await create({ name: 'Vendor first' });
    for (let time = 0; time < 2; time++) {
      const made = await api.ok('POST /clients/create', { body: { entityId: vendorId } });
      expect(made).toEqual({ success: true, clientId: vendorId, visibleId });
    }
    const clients = await api.ok<List>('GET /clients', { at: '/clients?search=Vendor+first' });
    expect(clients.pagination).toMatchObject({ total: 1 });
    expect((await list('search=Vendor+first')).pagination).toMatchObject({ total: 1 });
  });
});
