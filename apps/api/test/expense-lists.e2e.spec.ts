import {
  CostsClient,
  encoded,
  type ExpenseFields,
  type ExpenseRow,
  type Json,
  LEAST_EXPENSE,
  LEAST_PURCHASE,
} from './costs-client';
import { expectError } from './error-body';
import { invalid } from './expected-errors';
import {
  given,
  least,
  ours,
  read,
  refers,
  serveExpenses,
  service,
  skipIds,
  stranger,
  UNTOLD,
  WRONG_DATES,
  ZONES,
} from './expense-calls';
import { WINDOWS } from './windows';
import { PAGE, TIMESTAMP, UNKNOWN_ID } from './wire-values';

const NO_RATE = { totalInILS: null, exchangeRate: null, exchangeRateDate: null };

describe.each(ZONES)('in the time zone %s', (zone) => {
  serveExpenses(zone);

  describe('a row of the list (contract §11.1)', () => {
    let row: ExpenseRow;
    let made: Awaited<ReturnType<CostsClient['create']>>;
    const vendorName = 'בית דפוס בע"מ';
    let vendorId: number;
    let fileId: number;
    let started: number;

    beforeAll(async () => {
      [vendorId, fileId] = [await ours.vendor(vendorName), await ours.receipt()];
      await ours.rates(['USD', '2025-12-29', 3.2501]);
      started = Date.now();
      made = await ours.create({
        ...{ vendorId, fileId, date: '2025-12-31', total: 10.1, tax: 1.5, deductableTax: 1 },
        ...{ title: 'Laptop', documentNumber: 'D-7', currency: 'USD', notes: 'by card', isEquipment: true },
      });
      row = (await ours.list('sortBy=id&limit=1')).data[0]!;
    });

    const fields: [field: keyof ExpenseFields, expected: () => unknown][] = [
      ['id', () => made.expenseId],
      ['entityId', () => vendorId],
      ['title', () => 'Laptop'],
      ['date', () => '2025-12-31'],
      ['documentNumber', () => 'D-7'],
      ['currency', () => 'USD'],
      ['total', () => 10.1],
      ['tax', () => 1.5],
      ['deductableTax', () => 1],
      ['isEquipment', () => true],
      ['notes', () => 'by card'],
      ['fileId', () => fileId],
      ['totalInILS', () => 32.83],
      ['createdAt', () => expect.stringMatching(TIMESTAMP)],
      ['exchangeRate', () => 3.2501],
      ['exchangeRateDate', () => '2025-12-29'],
    ];
    it.each(fields)('expense.%s', (field, expected) => expect(row.expense[field]).toEqual(expected()));

    it('vendor', () => expect(row.vendor).toEqual({ id: vendorId, name: vendorName }));
    it('user', () => expect(row.user).toEqual({ id: expect.any(Number), name: 'Noa' }));
    it('file', async () => {
      expect(row.file).toEqual({ id: fileId, remoteUrl: expect.stringMatching(/^http:\/\//) });
      expect((await fetch(row.file!.remoteUrl)).status).toBe(200);
    });

    it('has exactly these fields, also without optional values', async () => {
      const names = fields.map(([field]) => field).sort();
      const id = await given({ currency: 'GBP' });
      for (const one of [row, await ours.read(id), (await ours.list('sortBy=id&limit=1')).data[0]!]) {
        expect(Object.keys(one).sort()).toEqual(['expense', 'file', 'user', 'vendor']);
        expect(Object.keys(one.expense).sort()).toEqual(names);
      }
      expect(await read(id)).toMatchObject({ ...UNTOLD, currency: 'GBP', ...NO_RATE });
    });

    it('createdAt: is when it was recorded, and does not change', async () => {
      const at = Date.parse(row.expense.createdAt);
      expect(at).toBeGreaterThanOrEqual(started - 1_000);
      expect(at).toBeLessThanOrEqual(Date.now() + 1_000);
      await ours.edit(made.expenseId, { notes: 'by cash' });
      const after = await read(made.expenseId);
      expect(after.createdAt).toBe(row.expense.createdAt);
      await ours.edit(made.expenseId, { notes: 'by cash' });
      expect(await read(made.expenseId)).toEqual(after);
    });

    it('user: is the user who recorded it, whoever changes it', async () => {
      const { api } = ours;
      const { key } = await api.ok<{ key: string }>('POST /api-keys', {
        body: { role: 'editor', userName: 'Dana' },
      });
      const dana = new CostsClient(service, api, key);
      const { expenseId } = await dana.create(least());
      expect((await ours.read(expenseId)).user.name).toBe('Dana');
      await ours.edit(expenseId, { title: 'Changed by Noa' });
      expect((await ours.read(expenseId)).user.name).toBe('Dana');
    });

    it('vendor: has the current name, in the list as well', async () => {
      const { api, key } = ours;
      const body = { name: 'Before', taxId: '1', type: 'COMPANY' };
      const vendor = await api.ok<{ vendorId: number }>('POST /vendors/create', { body, key });
      const id = await given({ vendorId: vendor.vendorId });
      await ours.list('sortBy=id&limit=1');
      const { data } = await api.ok<{ data: { id: number; visibleId: string }[] }>('GET /vendors', {
        ...{ at: '/vendors?search=Before', key },
      });
      const at = `/vendors/edit/${data[0]!.visibleId}`;
      await api.ok('PUT /vendors/edit/{visibleId}', { at, body: { name: 'After' }, key });
      expect((await ours.read(id)).vendor.name).toBe('After');
      expect((await ours.list('sortBy=id&limit=1')).data[0]!.vendor.name).toBe('After');
    });

    it('include=all: a row of a supplier invoice has source and documentVisibleId, but no user and file', async () => {
      const body = {
        ...{ ...LEAST_PURCHASE, vendorId, date: '2031-12-31', currency: 'USD', total: 10.1, tax: 1.5 },
        ...{ deductableTax: 1, title: 'Paper', notes: 'by post', documentNumber: 'INV-7' },
      };
      const { purchaseId, visibleId } = await ours.purchase(body);
      const { data } = await ours.list('include=all&startDate=2031-12-31&endDate=2031-12-31');
      expect(data).toEqual([
        {
          expense: {
            ...{ id: purchaseId, entityId: vendorId, title: 'Paper', date: '2031-12-31' },
            ...{ documentNumber: 'INV-7', currency: 'USD', total: 10.1, tax: 1.5, deductableTax: 1 },
            ...{ isEquipment: false, notes: 'by post', fileId: null, ...NO_RATE },
            createdAt: expect.stringMatching(TIMESTAMP),
          },
          vendor: { id: vendorId, name: vendorName },
          source: 'SUPPLIER_INVOICE',
          documentVisibleId: visibleId,
        },
      ]);
      expect(await ours.readPurchase(visibleId)).toMatchObject({ id: purchaseId });
    });
  });

  describe('GET /expenses (contract §11.5)', () => {
    let own: CostsClient;
    /** A company that is empty until the last of these tests. */
    let nobody: CostsClient;
    let vendors: Record<'A' | 'B', number>;
    /** Names of the rows in these tests, by source and id. */
    const names = new Map<string, string>();
    const nameOf = ({ source, expense }: ExpenseRow) => names.get(`${source ?? ''}${expense.id}`)!;
    /** Returns the rows of all pages, in order. */
    async function found(query: string): Promise<string[]> {
      const { data, pagination } = await own.list(query);
      expect(pagination['total']).toBe(data.length);
      return data.map(nameOf);
    }
    const isOwn = (name: string) => !name.startsWith('P');
    const ALL = ['P1', '4', '3', 'P0', '2', '1', '0', '5'];
    const OWN = ALL.filter(isOwn);
    /**
     * Asserts that the list with supplier invoices has these rows, and that the list of expenses has those of
     * them that are expenses.
     */
    async function expectFound(query: string, expected: readonly string[]): Promise<void> {
      const both = [await found(query), await found(`include=all&${query}`)];
      expect({ query, both }).toEqual({ query, both: [expected.filter(isOwn), expected] });
    }

    beforeAll(async () => {
      await skipIds();
      [own, nobody] = await Promise.all([ours.ofNewCompany(), ours.ofNewCompany()]);
      vendors = { A: await own.vendor('Paper Ltd'), B: await own.vendor('Train Ltd') };
      const fileId = await own.receipt();
      const expenses: [of: 'A' | 'B', date: string, more: Json][] = [
        ['A', '2025-12-31', { title: 'Taxi to Haifa', documentNumber: 'R-100%' }],
        ['B', '2026-01-01', { title: 'נייר צילום', documentNumber: 'ח-17', notes: 'שולם במזומן' }],
        ['A', '2026-01-31', { title: '100% cotton a_b', notes: 'back\\slash' }],
        ['B', '2026-02-28', { documentNumber: 'r-1000', notes: 'by TAXI home' }],
        ['A', '2026-02-28', { title: 'axb', documentNumber: 'Z9' }],
        ['B', '2024-02-29', { title: 'Laptop', isEquipment: true }],
      ];
      for (const [place, [of, date, more]] of expenses.entries()) {
        const body = { ...LEAST_EXPENSE, fileId, vendorId: vendors[of], date, ...more };
        names.set(`${(await own.create(body)).expenseId}`, `${place}`);
      }
      const invoices: [of: 'A' | 'B', date: string, more: Json][] = [
        ['A', '2026-01-31', { title: 'Taxi vouchers', documentNumber: 'INV_1' }],
        ['B', '2026-03-01', { documentNumber: 'ח-1', notes: 'נייר 50%' }],
        ['A', '2026-01-31', { title: 'Taxi cancelled', documentNumber: 'R-100%' }],
      ];
      for (const [place, [of, date, more]] of invoices.entries()) {
        const made = await own.purchase({ ...LEAST_PURCHASE, vendorId: vendors[of], date, ...more });
        names.set(`SUPPLIER_INVOICE${made.purchaseId}`, `P${place}`);
        if (place === 2) await own.cancel(made.visibleId);
      }
    });

    it('Response: { data, pagination }, latest date first', async () => {
      const all = await own.list();
      expect(Object.keys(all).sort()).toEqual(['data', 'pagination']);
      expect(all.data.map(nameOf)).toEqual(OWN);
      expect(all.pagination).toEqual({ total: 6, ...PAGE });
    });

    it('Response: is empty without expenses', async () => {
      for (const query of ['', 'include=all', 'search=x', 'search=taxi', 'include=all&search=taxi&page=3']) {
        const { data, pagination } = await nobody.list(query);
        expect({ query, data, pagination }).toMatchObject({
          data: [],
          pagination: { total: 0, totalPages: 0 },
        });
      }
    });

    it.each<[search: string, found: string[]]>([
      ['taxi', ['3', 'P0', '0']],
      ['TAXI', ['3', 'P0', '0']],
      [' Taxi ', ['3', 'P0', '0']],
      ['taxi t', ['0']],
      ['r-100', ['3', '0']],
      ['R-100%', ['0']],
      ['100%', ['2', '0']],
      ['%', ['P1', '2', '0']],
      ['0%', ['P1', '2', '0']],
      ['%%', []],
      ['t%i', []],
      ['_', ['P0', '2']],
      ['a_b', ['2']],
      ['inv_', ['P0']],
      ['axb', ['4']],
      ['___', []],
      ['\\', ['2']],
      ['k\\s', ['2']],
      ['\\\\', []],
      ['נייר', ['P1', '1']],
      ['ני', ['P1', '1']],
      ['ח', ['P1', '1']],
      ['ח-1', ['P1', '1']],
      ['ח-17', ['1']],
      ['במזומן', ['1']],
      ['צילום', ['1']],
      ['z', ['4']],
      ['Z9', ['4']],
      ['to', ['2', '0', '5']],
      ['laptop', ['5']],
      ["' or ''='", []],
      ['null', []],
      // The search covers neither the vendor nor the currency.
      ['paper', []],
      ['ILS', []],
      ['', ALL],
      ['  ', ALL],
    ])('search: %j in the title, the notes or the document number', async (search, expected) => {
      await expectFound(`search=${encoded(search)}`, expected);
    });

    it('search: finds all letters and scripts, ignoring case', async () => {
      const many = stranger;
      const refersTo = await many.references();
      const texts = ['Übergabe an СКЛАД', 'ÉCLAIR café', '😀😀 done', 'straße ΑΘΗΝΑ', 'two\nlines', 'א%ב_ג'];
      for (const [n, text] of texts.entries()) {
        const field = ['title', 'notes', 'documentNumber'][n % 3]!;
        await many.create({ ...LEAST_EXPENSE, ...refersTo, [field]: text });
        const invoice = {
          ...LEAST_PURCHASE,
          vendorId: refersTo.vendorId,
          documentNumber: '-',
          [field]: text,
        };
        await many.purchase(invoice);
      }
      const textIn = ({ expense: { title, notes, documentNumber } }: ExpenseRow) =>
        title ?? notes ?? documentNumber;
      const searches: [search: string, place: number][] = [
        ['übergabe', 0],
        ['ÜB', 0],
        ['склад', 0],
        ['Скл', 0],
        ['éclair', 1],
        ['É', 1],
        ['CAFÉ', 1],
        ['😀😀', 2],
        ['😀 d', 2],
        ['STRAßE', 3],
        ['αθην', 3],
        ['two\nlines', 4],
        ['א%ב', 5],
        ['%ב_', 5],
        ['ב_ג', 5],
      ];
      for (const [search, place] of searches) {
        const text = texts[place]!;
        const own = (await many.list(`search=${encoded(search)}`)).data.map(textIn);
        const all = (await many.list(`include=all&search=${encoded(search)}`)).data.map(textIn);
        expect({ search, own, all }).toEqual({ search, own: [text], all: [text, text] });
      }
    });

    it('include: all also includes supplier invoices that are not cancelled', async () => {
      expect(await found('include=all')).toEqual(ALL);
      const { pagination } = await own.list('include=all');
      expect(pagination).toEqual({ ...PAGE, total: 8 });
    });

    it('startDate, endDate: include the day itself', async () => {
      await expectFound('startDate=2026-01-31', ['P1', '4', '3', 'P0', '2']);
      await expectFound('startDate=2026-02-01', ['P1', '4', '3']);
      await expectFound('endDate=2026-01-31', ['P0', '2', '1', '0', '5']);
      await expectFound('endDate=2026-01-30', ['1', '0', '5']);
      await expectFound('startDate=2025-12-31&endDate=2025-12-31', ['0']);
      await expectFound('startDate=2026-01-01&endDate=2026-01-01', ['1']);
      await expectFound('startDate=2024-02-29&endDate=2024-02-29', ['5']);
      await expectFound('startDate=2026-02-28&endDate=2026-02-28', ['4', '3']);
      await expectFound('startDate=2026-03-02', []);
      await expectFound('startDate=2026-02-01&endDate=2026-01-01', []);
    });

    it('vendorId: only this vendor', async () => {
      await expectFound(`vendorId=${vendors.A}`, ['4', 'P0', '2', '0']);
      await expectFound(`vendorId=${vendors.B}`, ['P1', '3', '1', '5']);
      for (const id of ['0', UNKNOWN_ID, '999999999999999', refers.vendorId]) {
        await expectFound(`vendorId=${id}`, []);
      }
    });

    it('filters are combined', async () => {
      const ofA = `vendorId=${vendors.A}`;
      await expectFound(`${ofA}&search=taxi`, ['P0', '0']);
      await expectFound(`${ofA}&search=taxi&startDate=2026-01-01`, ['P0']);
      await expectFound(`${ofA}&startDate=2026-01-01&endDate=2026-01-31`, ['P0', '2']);
      await expectFound(`${ofA}&search=a&sortOrder=asc&sortBy=title`, ['2', '4', '0', 'P0']);
      await expectFound('search=1&endDate=2026-01-31', ['P0', '2', '1', '0']);
      await expectFound(`vendorId=${vendors.B}&search=100&startDate=2026-02-28`, ['3']);
      await expectFound(`vendorId=${vendors.B}&search=vouchers`, []);
    });

    it.each([
      ['include', ['', 'ALL', 'none', 'true', 'all&include=all', 'all%20']],
      ['startDate', WRONG_DATES.map(encoded)],
      ['endDate', WRONG_DATES.map(encoded)],
      ['vendorId', ['', 'abc', '-1', '1.5', '1e3', '99999999999999999999', '1&vendorId=1']],
      ['search', ['a&search=b', 'x'.repeat(201)]],
    ])('%s: invalid values are refused', async (field, values) => {
      for (const value of values) {
        const at = `/expenses?${field}=${value}`;
        expectError(await own.api.send('GET /expenses', { at, key: own.key }), invalid(field));
      }
    });

    it('unknown parameters are ignored', async () => {
      expect(await found('total=118&currency=USD&isEquipment=true&companyId=1')).toEqual(OWN);
    });

    it.each(WINDOWS)(
      'limit, offset, page, pageSize: ?%s is %d from %d (contract §2.2)',
      async (query, limit, offset) => {
        for (const [include, all] of [
          ['', OWN],
          ['&include=all', ALL],
          ['&include=all&search=a', ['4', '3', 'P0', '2', '0', '5']],
        ] as const) {
          const { data, pagination } = await own.list(query + include);
          const total = all.length;
          expect(data.map(nameOf)).toEqual(all.slice(offset, offset + limit));
          expect(pagination).toEqual({
            ...{ total, limit, offset, hasMore: offset + data.length < total },
            ...{
              page: Math.floor(offset / limit) + 1,
              pageSize: limit,
              totalPages: Math.ceil(total / limit),
            },
          });
        }
      },
    );

    it('shows and counts earlier changes, whatever was read before', async () => {
      const seen = nobody;
      const [one, other] = [await seen.references('One'), await seen.vendor('Other')];
      const filters = ['', 'search=new', 'search=ne', 'startDate=2026-01-01', 'sortBy=title'];
      const queries = filters.flatMap((query) => [query, `${query}&include=all`]);
      const look = async () => {
        const lists = await Promise.all(queries.map((query) => seen.list(query)));
        return lists.map(({ data, pagination }) => {
          expect(pagination['total']).toBe(data.length);
          return data.length;
        });
      };
      const all = (count: number, more = 0) => filters.flatMap(() => [count, count + more]);
      expect(await look()).toEqual(all(0));
      const body = { ...LEAST_EXPENSE, ...one, title: 'new' };
      const made = [await seen.create(body), await seen.create(body)];
      expect(await look()).toEqual(all(2));
      const invoice = await seen.purchase({ ...LEAST_PURCHASE, vendorId: other, title: 'Newest' });
      expect(await look()).toEqual(all(2, 1));
      await seen.edit(made[0]!.expenseId, { title: 'old', date: '2025-12-31' });
      expect(await look()).toEqual([2, 3, 1, 2, 1, 2, 1, 2, 2, 3]);
      await seen.edit(made[0]!.expenseId, { title: 'NEW', date: '2026-01-01' });
      expect(await look()).toEqual(all(2, 1));
      await seen.cancel(invoice.visibleId);
      expect(await look()).toEqual(all(2));
      await seen.sendDelete(made[1]!.expenseId);
      expect(await look()).toEqual(all(1));
      await seen.edit(made[0]!.expenseId, { vendorId: other });
      expect((await seen.list(`vendorId=${other}`)).pagination['total']).toBe(1);
      expect((await seen.list(`vendorId=${one.vendorId}`)).pagination['total']).toBe(0);
    });
  });

  describe('GET /expenses, sortBy and sortOrder, of many equal rows (contract §2.4)', () => {
    const KEYS = ['id', 'date', 'title', 'total', 'tax', 'deductableTax', 'isEquipment'] as const;
    type Key = (typeof KEYS)[number];
    const TITLES = [null, 'apple', 'Apple', 'Zebra', 'תפוח', 'éclair', '😀', '\u{ffee}', '10', '9'];
    let own: CostsClient;
    /** Rows of both kinds. The first twelve of each kind have the same ids. */
    let rows: ExpenseRow[];

    const code = (text: string | null) => Buffer.from((text ?? '').toLowerCase()).toString('hex');
    const valueOf = ({ expense }: ExpenseRow, by: Key): number | string =>
      by === 'title' ? code(expense.title) : by === 'date' ? expense.date : Number(expense[by]);
    const side = ({ source }: ExpenseRow) => (source === undefined ? 0 : 1);

    function sorted(of: readonly ExpenseRow[], by: Key, order: string): ExpenseRow[] {
      const ascending = [...of].sort((one, other) => {
        const [a, b] = [valueOf(one, by), valueOf(other, by)];
        if (a !== b) return a < b ? -1 : 1;
        return one.expense.id - other.expense.id || side(one) - side(other);
      });
      return order === 'asc' ? ascending : ascending.reverse();
    }
    const identities = (of: readonly ExpenseRow[]) => of.map((row) => `${side(row)}/${row.expense.id}`);
    const ofKind = (include: boolean) => rows.filter((row) => include || side(row) === 0);

    async function walk(query: string, limit: number): Promise<ExpenseRow[]> {
      const walked: ExpenseRow[] = [];
      for (let offset = 0; ; offset += limit) {
        const { data, pagination } = await own.list(`${query}&limit=${limit}&offset=${offset}`);
        walked.push(...data);
        if (pagination['hasMore'] === false) return walked;
      }
    }

    beforeAll(async () => {
      own = await ours.ofNewCompany();
      const refersTo = await own.references();
      const { database } = service;
      const [last] = await database.query<{ id: number }>(
        `select greatest((select last_value from documents_id_seq), (select last_value from expenses_id_seq))::int
           as id`,
      );
      for (const table of ['documents', 'expenses']) {
        await database.query(`select setval('${table}_id_seq', $1)`, [last!.id + 1_000]);
      }
      for (let n = 0; n < 24; n++) {
        const total = [0.3, 9.99, 10, 1_000][n % 4]!;
        const body = {
          ...{ ...refersTo, title: TITLES[n % TITLES.length], total, isEquipment: n % 3 === 0 },
          ...{ date: ['2026-01-31', '2025-12-31', '2026-02-01'][n % 3]!, notes: n % 2 ? 'odd' : 'even' },
          ...{ tax: n % 5 < 3 ? 0.3 : 0.1, deductableTax: n % 2 ? 0 : 0.1 },
        };
        await own.create(body);
        if (n >= 12) continue;
        const { fileId: _, isEquipment: _i, title, ...same } = body;
        await own.purchase({ ...same, title: title ?? 'apple', currency: 'ILS', documentNumber: `${n}` });
      }
      rows = [...(await own.list('include=all&limit=200')).data];
      expect(rows).toHaveLength(36);
      const ids = (kind: number) => rows.filter((row) => side(row) === kind).map(({ expense }) => expense.id);
      const shared = ids(0).filter((id) => ids(1).includes(id));
      expect(shared).toHaveLength(12);
    });

    const orders = KEYS.flatMap((by) => (['asc', 'desc'] as const).map((order) => ({ by, order })));

    it.each(orders)('sortBy: $by $order, by pages of 5 and of 7', async ({ by, order }) => {
      const query = `sortBy=${by}&sortOrder=${order}`;
      const expected = sorted(ofKind(false), by, order);
      expect((await own.list(query)).data.map(({ expense }) => expense)).toEqual(
        expected.map(({ expense }) => expense),
      );
      for (const limit of [5, 7]) expect(identities(await walk(query, limit))).toEqual(identities(expected));
      const odd = expected.filter(({ expense }) => expense.notes === 'odd');
      expect(identities(await walk(`${query}&search=odd`, 5))).toEqual(identities(odd));
    });

    it.each(orders)('sortBy with include=all: $by $order, by pages of 5 and of 7', async ({ by, order }) => {
      const sortsHere = by === 'date' || by === 'title' || by === 'total';
      const query = `include=all&sortBy=${by}&sortOrder=${order}`;
      const expected = sorted(ofKind(true), sortsHere ? by : 'date', order);
      expect(identities((await own.list(query)).data)).toEqual(identities(expected));
      for (const limit of [5, 7]) expect(identities(await walk(query, limit))).toEqual(identities(expected));
      const odd = expected.filter(({ expense }) => expense.notes === 'odd');
      expect(identities(await walk(`${query}&search=odd`, 5))).toEqual(identities(odd));
      const late = expected.filter(({ expense }) => expense.date >= '2026-01-31');
      expect(identities(await walk(`${query}&startDate=2026-01-31`, 5))).toEqual(identities(late));
    });

    it.each([
      ['', 'date', 'desc'],
      ['sortOrder=asc', 'date', 'asc'],
      ['sortOrder=ASC', 'date', 'desc'],
      ['sortOrder=up', 'date', 'desc'],
      ['sortOrder=', 'date', 'desc'],
      ['sortBy=price', 'date', 'desc'],
      ['sortBy=createdAt&sortOrder=asc', 'date', 'asc'],
      ['sortBy=__proto__', 'date', 'desc'],
      ['sortBy=TOTAL', 'date', 'desc'],
      ['sortBy=deductable_tax&sortOrder=asc', 'date', 'asc'],
      ['sortBy=title;drop%20table&sortOrder=asc', 'date', 'asc'],
      ['sortBy=id', 'id', 'desc'],
      ['sortBy=title', 'title', 'desc'],
    ] as const)('sortBy, sortOrder: ?%s is by %s %s', async (query, by, order) => {
      expect(identities((await own.list(query)).data)).toEqual(identities(sorted(ofKind(false), by, order)));
      const all = sorted(ofKind(true), by === 'id' ? 'date' : by, order);
      expect(identities((await own.list(`${query}&include=all`)).data)).toEqual(identities(all));
    });
  });
});
