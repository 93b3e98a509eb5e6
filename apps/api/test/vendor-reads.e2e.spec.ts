import { expectError } from './error-body';
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
  read,
  RECORD_UNSET,
  serveVendors,
  service,
  UNSET,
} from './vendor-calls';
import { UNKNOWN_UUID } from './wire-values';

serveVendors();

const keyOf = async (role: string) =>
  (await api.ok<{ key: string }>('POST /api-keys', { body: { role, userName: role } })).key;

describe('Vendor (list row of GET /vendors)', () => {
  let row: Json;
  let ids: Ids;

  beforeAll(async () => {
    ids = await create({
      name: 'Row Ltd',
      email: 'row@acme.example',
      phoneNumber: '03-5550000',
      addressId,
      existingContactId: contactId,
      paymentTermType: 'CURRENT_PLUS_DAYS',
      paymentTermDays: 60,
      withholdingTaxRate: 12.5,
    });
    await edit(ids.visibleId, { vendorInternalCode: 4711 });
    row = (await list('search=Row+Ltd')).data[0]!;
  });

  const address = () => ({
    id: addressId,
    city: 'Haifa',
    street: 'Herzl',
    houseNumber: null,
    zipCode: null,
    country: 'IL',
  });
  const fields: [field: string, expected: () => unknown][] = [
    ['id', () => ids.vendorId],
    ['visibleId', () => ids.visibleId],
    ['name', () => 'Row Ltd'],
    ['taxId', () => '514000000'],
    ['type', () => 'COMPANY'],
    ['email', () => 'row@acme.example'],
    ['phoneNumber', () => '03-5550000'],
    ['paymentTermType', () => 'CURRENT_PLUS_DAYS'],
    ['paymentTermDays', () => 60],
    ['vendorInternalCode', () => 4711],
    ['withholdingTaxRate', () => 12.5],
    ['companyId', () => 1],
    ['address', address],
    ['logoFile', () => null],
    [
      'contacts',
      () => [
        {
          id: contactId,
          firstName: 'Noa',
          lastName: null,
          phoneNumber: null,
          email: 'noa@acme.example',
          address: address(),
        },
      ],
    ],
  ];

  it.each(fields)('Vendor list row · %s', (field, expected) => {
    expect(row[field]).toEqual(expected());
  });

  it('has exactly these fields, for every type and without optional values', async () => {
    const names = fields.map(([field]) => field).sort();
    expect(Object.keys(row).sort()).toEqual(names);
    for (const type of ['MURSHE', 'COMPANY', 'PATOOR']) {
      const { vendorId, visibleId } = await create({ name: `Bare ${type}`, type });
      const { data } = await list(`search=Bare+${type}`);
      const bare = { id: vendorId, visibleId, name: `Bare ${type}`, taxId: NEW.taxId, type, companyId: 1 };
      expect(data).toEqual([{ ...UNSET, ...bare }]);
    }
  });
});

describe('Vendor (single record from GET /vendors/id/:visibleId)', () => {
  it('is flat, with every writable field, and null for unset ones', async () => {
    const { vendorId, visibleId } = await create({ name: 'Bare' });
    const own = { ...NEW, name: 'Bare', id: vendorId, visibleId, companyId: 1 };
    expect(await read(visibleId)).toEqual({ ...RECORD_UNSET, ...own });
  });

  it('is found by its public id in any case', async () => {
    const { visibleId } = await create();
    expect(await read(visibleId.toUpperCase())).toMatchObject({ visibleId });
  });

  it.each([UNKNOWN_UUID, 'abc', '1', '00000000-0000-4000-8000-00000000000g', '%20', "'--"])(
    'is the four bytes null with 200 for an unknown visibleId: %s',
    async (visibleId) => {
      const answer = await api.send('GET /vendors/id/{visibleId}', { at: `/vendors/id/${visibleId}` });
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'null' });
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.headers['content-length']).toBe('4');
    },
  );

  it('is null for a client that is not a vendor', async () => {
    const { visibleId } = await api.ok<Ids>('POST /clients/create', { body: NEW });
    expect(await read(visibleId)).toBeNull();
  });
});

describe('ledgerEntityAccountKey', () => {
  it.each([
    ['owner', 'KEY9'],
    ['accountant', 'KEY9'],
    ['editor', null],
  ])('on creation with a key of role %s is %j', async (role, saved) => {
    const { visibleId } = await create({ ledgerEntityAccountKey: 'KEY9' }, { key: await keyOf(role) });
    expect(await read(visibleId)).toMatchObject({ ledgerEntityAccountKey: saved });
  });

  it.each([
    ['owner', 'KEY9'],
    ['accountant', 'KEY9'],
    ['editor', 'KEY1'],
  ])('in an edit with a key of role %s is %j, and the other fields are saved', async (role, saved) => {
    const { visibleId } = await create({ ledgerEntityAccountKey: 'KEY1' });
    const key = await keyOf(role);
    const answer = await edit(visibleId, { ledgerEntityAccountKey: 'KEY9', name: 'Saved' }, { key });
    expect(JSON.parse(answer.text)).toEqual({ success: true, visibleId });
    expect(await read(visibleId)).toMatchObject({ ledgerEntityAccountKey: saved, name: 'Saved' });
  });

  it('is refused if it is too long, for all roles', async () => {
    for (const role of ['owner', 'editor']) {
      const body = { ...NEW, ledgerEntityAccountKey: '123456789' };
      const answer = await api.send('POST /vendors/create', { body, key: await keyOf(role) });
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field: 'ledgerEntityAccountKey' });
    }
  });

  it('a viewer cannot edit', async () => {
    const { visibleId } = await create();
    const answer = await edit(visibleId, { name: 'X' }, { key: await keyOf('viewer') });
    expectError(answer, { status: 403, code: 'FORBIDDEN' });
  });
});

describe('GET /vendors', () => {
  const NAMES = [
    'Adama',
    'adama',
    'Zebra 100%',
    'zebra_1',
    'back\\slash',
    'שלום',
    'שלומית',
    'Éclair',
    'Ünal',
  ];
  let ownerKey: string;
  const mine = (query: string) => api.ok<List>('GET /vendors', { at: `/vendors?${query}`, key: ownerKey });
  const names = async (query: string) => (await mine(query)).data.map(({ name }) => name);

  beforeAll(async () => {
    ({ ownerKey } = await service.createCompany('Listing'));
    for (const [index, name] of NAMES.entries()) {
      const type = ['MURSHE', 'COMPANY', 'PATOOR'][index % 3];
      const contact = index % 4 === 0 ? { firstName: 'Dana' } : null;
      const email = index % 2 === 0 ? { email: `Office${index}@Example.co.il` } : {};
      await create({ name, type, taxId: `51${index}A`, contact, ...email }, { key: ownerKey });
    }
  });

  it('limit, offset, page, pageSize · the pagination contract', async () => {
    const { data, pagination } = await mine('limit=4&page=2');
    expect(data.map(({ name }) => name)).toEqual(NAMES.slice(4, 8));
    expect(pagination).toEqual({
      total: NAMES.length,
      limit: 4,
      offset: 4,
      hasMore: true,
      page: 2,
      pageSize: 4,
      totalPages: 3,
    });
    expect(await names('pageSize=3&limit=5&offset=7&page=1')).toEqual(NAMES.slice(7, 10));
    expect((await mine('limit=500')).pagination).toMatchObject({ limit: 200, hasMore: false });
    expect(await mine('offset=500')).toMatchObject({ data: [], pagination: { total: 9, hasMore: false } });
  });

  it.each([
    ['adama', ['Adama', 'adama']],
    ['ADAM', ['Adama', 'adama']],
    ['100%', ['Zebra 100%']],
    ['%', ['Zebra 100%']],
    ['_', ['zebra_1']],
    ['a_1', ['zebra_1']],
    ['\\', ['back\\slash']],
    ['k\\s', ['back\\slash']],
    ['שלום', ['שלום']],
    ['שלו', ['שלום', 'שלומית']],
    ['ש', ['שלום', 'שלומית']],
    ['ünal', ['Ünal']],
    ['a%a', []],
    ['  adama ', ['Adama', 'adama']],
    ['514a', ['back\\slash']],
    ['OFFICE8@', ['Ünal']],
    ['office', NAMES.filter((_, index) => index % 2 === 0)],
    ['nobody', []],
    ['   ', NAMES],
    ['', NAMES],
  ])('search · %j finds %j across name, tax id and email', async (search, expected) => {
    expect(await names(`search=${encodeURIComponent(search)}`)).toEqual(expected);
  });

  it.each(['MURSHE', 'COMPANY', 'PATOOR'])('type · %s', async (type) => {
    const { data, pagination } = await mine(`type=${type}`);
    expect(data.map((row) => row['type'])).toEqual([type, type, type]);
    expect(pagination).toMatchObject({ total: 3 });
  });

  it('email · matches the whole value, ignoring case', async () => {
    expect(await names('email=OFFICE2%40example.CO.il')).toEqual(['Zebra 100%']);
    expect(await names('email=office2')).toEqual([]);
    expect(await names('email=%25')).toEqual([]);
  });

  it('taxId · matches the whole value, ignoring case', async () => {
    expect(await names('taxId=513a')).toEqual(['zebra_1']);
    expect(await names('taxId=513')).toEqual([]);
  });

  it('hasContacts · true: with contacts, false: without', async () => {
    expect(await names('hasContacts=true')).toEqual(NAMES.filter((_, index) => index % 4 === 0));
    expect(await names('hasContacts=false')).toEqual(NAMES.filter((_, index) => index % 4 !== 0));
    expect((await mine('hasContacts=false')).pagination).toMatchObject({ total: 6 });
  });

  it('id · is the one with this number', async () => {
    const { data } = await mine('search=office2');
    const found = await mine(`id=${String(data[0]?.['id'])}`);
    expect(found.data).toEqual(data.slice(0, 1));
    expect(found.pagination).toMatchObject({ total: 1 });
  });

  it('filters are combined', async () => {
    expect(await names('type=MURSHE&hasContacts=false&search=office')).toEqual([NAMES[6]]);
    expect(await names('type=MURSHE&hasContacts=true&search=office&taxId=510a')).toEqual(['Adama']);
  });

  it.each([
    ['id', 'id=x'],
    ['type', 'type=murshe'],
    ['type', 'type='],
    ['type', 'type=COMPANY&type=PATOOR'],
    ['email', 'email='],
    ['email', `email=${'x'.repeat(255)}`],
    ['taxId', 'taxId=1&taxId=2'],
    ['hasContacts', 'hasContacts=1'],
    ['hasContacts', 'hasContacts=TRUE'],
    ['hasContacts', 'hasContacts='],
    ['search', `search=${'x'.repeat(201)}`],
    ['search', 'search=a&search=b'],
  ])('%s · ?%s is VALIDATION_FAILED', async (field, query) => {
    for (const route of ['vendors', 'clients']) {
      const answer = await api.send(`GET /${route}`, { at: `/${route}?${query}` });
      expectError(answer, { status: 400, code: 'VALIDATION_FAILED', field });
    }
  });

  const byName = [
    'Adama',
    'adama',
    'back\\slash',
    'Zebra 100%',
    'zebra_1',
    'Éclair',
    'Ünal',
    'שלום',
    'שלומית',
  ];
  it.each([
    ['sortBy=name', byName],
    ['sortBy=name&sortOrder=asc', byName],
    ['sortBy=name&sortOrder=desc', [...byName].reverse()],
    ['sortBy=taxId&sortOrder=desc', [...NAMES].reverse()],
    ['sortBy=id&sortOrder=desc', [...NAMES].reverse()],
    ['sortBy=nonsense&sortOrder=nonsense', NAMES],
    ['sortBy=nonsense&sortOrder=desc', [...NAMES].reverse()],
    ['sortBy=name_key', NAMES],
    ['sortBy=companyId', NAMES],
    ['sortOrder=DESC', NAMES],
    ['', NAMES],
  ])('sortBy, sortOrder · ?%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('sortBy email · vendors without one are last, and first in descending order', async () => {
    const without = NAMES.filter((_, index) => index % 2 === 1);
    const having = NAMES.filter((_, index) => index % 2 === 0);
    expect(await names('sortBy=email')).toEqual([...having, ...without]);
    expect(await names('sortBy=email&sortOrder=desc')).toEqual([...having, ...without].reverse());
  });

  it("does not show another company's vendors", async () => {
    const { visibleId } = (await mine('limit=1')).data[0]!;
    expect(await read(visibleId as string)).toBeNull();
    expectError(await edit(visibleId as string, { name: 'X' }), { status: 404, code: 'NOT_FOUND' });
  });

  it('shows the latest changes, whatever was listed before', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { visibleId } = await create({ name: `Fresh ${turn}` }, { key: ownerKey });
      expect(await names('search=Fresh')).toHaveLength(turn + 1);
      expect((await mine('limit=1')).pagination).toMatchObject({ total: NAMES.length + turn + 1 });
      await edit(visibleId, { name: `Fresh, renamed ${turn}`, type: 'PATOOR' }, { key: ownerKey });
      expect(await names('search=Fresh%2C+renamed')).toHaveLength(turn + 1);
      expect((await mine('type=PATOOR')).pagination).toMatchObject({ total: 3 + turn + 1 });
    }
  });
});
