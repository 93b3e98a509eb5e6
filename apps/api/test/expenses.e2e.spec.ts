import { queueStores, startService, type TestService, until } from '@counterfoil/test-harness';
import {
  type Body,
  CostsClient,
  encoded,
  type ExpenseFields,
  type ExpenseRow,
  type Json,
  LEAST_EXPENSE,
  LEAST_PURCHASE,
  type Refers,
} from './costs-client';
import { DescribedApi } from './described-api';
import { type ExpectedError, expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';
import { WINDOWS } from './windows';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = 999_999_999;
/** The most that an amount of money can be. */
const MOST = 999_999_999_999.99;
const PAGE = { limit: 50, offset: 0, hasMore: false, page: 1, pageSize: 50, totalPages: 1 };
const NO_RATE = { totalInILS: null, exchangeRate: null, exchangeRateDate: null };
/** What reads back where nothing was told. */
const UNTOLD = { title: null, documentNumber: null, currency: 'ILS', notes: null, isEquipment: false };

/** Ends of months and years, the days of leap years, and those on which clocks or calendars of the two zones jump. */
const DATES = [
  ...['2026-01-01', '2026-01-31', '2026-02-28', '2026-03-01', '2026-04-30', '2026-12-31', '2025-12-31'],
  ...['2024-02-29', '2000-02-29', '2028-02-29', '1900-02-28', '1900-01-01', '9999-12-31', '1999-12-31'],
  ...['2026-03-27', '2026-03-28', '2026-10-25', '2026-10-24', '1994-12-31', '1995-01-01', '1970-01-01'],
];
const WRONG_DATES = [
  ...['2026-02-30', '2026-1-5', '2025-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', ''],
  ...['20261120', '20/11/2026', '2026-11-20T00:00:00Z', '2026-11-20 ', ' 2026-11-20', '0000-01-01', 'today'],
];

const invalid = (field: string): ExpectedError => ({ status: 400, code: 'VALIDATION_FAILED', field });
const unknown = (field: string): ExpectedError => ({ status: 400, code: 'UNKNOWN_REFERENCE', field });
const notFound: ExpectedError = { status: 404, code: 'NOT_FOUND' };
const bodyIn = <T = Json>({ text }: Answer): T => JSON.parse(text) as T;
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'left out';

let service: TestService;
let ours: CostsClient;
let stranger: CostsClient;
let refers: Refers;

const least = (more: Body = {}): Body => ({ ...LEAST_EXPENSE, ...refers, ...more });
/** An expense of our own, which all may look at and none may change, with whatever is said. */
const given = async (more: Body = {}) => (await ours.create(least(more))).expenseId;
const read = async (id: number): Promise<ExpenseFields> => (await ours.read(id)).expense;
const totalOf = async (of = ours) => (await of.list('limit=1')).pagination['total'];

async function expectRefused(body: unknown, expected: ExpectedError): Promise<void> {
  const before = await totalOf();
  expectError(await ours.send(body), expected);
  expect(await totalOf()).toBe(before);
}

async function expectEditRefused(id: number, body: unknown, expected: ExpectedError): Promise<void> {
  const before = await read(id);
  expectError(await ours.sendEdit(id, body), expected);
  expect(await read(id)).toEqual(before);
}

describe.each(['Asia/Jerusalem', 'Pacific/Kiritimati'])('where it is %s', (zone) => {
  beforeAll(async () => {
    service = await startService(queueStores()[0]!, { TZ: zone });
    const api = await DescribedApi.of(service);
    const body = { role: 'accountant', userName: 'Noa' };
    const { key } = await api.ok<{ key: string }>('POST /api-keys', { body });
    ours = new CostsClient(service, api, key);
    stranger = await ours.ofNewCompany();
    refers = await ours.references();
  });

  afterAll(async () => {
    closeConnections();
    await service.stop();
  });

  describe('spec Expenses, POST /expenses/create', () => {
    it('Response: { success, expenseId }, by 201', async () => {
      const answer = await ours.send({ ...LEAST_EXPENSE, ...(await ours.references()) });
      expect(answer.status).toBe(201);
      expect(bodyIn(answer)).toEqual({ success: true, expenseId: expect.any(Number) });
    });

    it('vendorId: the numeric entity id, which reads back as entityId and vendor', async () => {
      const vendorId = await ours.vendor('Tools & Co');
      const row = await ours.read(await given({ vendorId }));
      expect(row.expense.entityId).toBe(vendorId);
      expect(row.vendor).toEqual({ id: vendorId, name: 'Tools & Co' });
    });

    it('vendorId: of nobody, of another company, or of a client who is no vendor', async () => {
      const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
      const { api, key } = ours;
      const made = await api.ok<{ clientId: number }>('POST /clients/create', { body: client, key });
      for (const vendorId of [UNKNOWN, Number.MAX_SAFE_INTEGER, await stranger.vendor(), made.clientId]) {
        await expectRefused(least({ vendorId }), unknown('vendorId'));
      }
      await api.ok('POST /vendors/create', { body: { entityId: made.clientId }, key });
      expect((await read(await given({ vendorId: made.clientId }))).entityId).toBe(made.clientId);
    });

    it('fileId: the receipt, which reads back and opens', async () => {
      const fileId = await ours.receipt('what was bought');
      const row = await ours.read(await given({ fileId }));
      expect(row.expense.fileId).toBe(fileId);
      expect(row.file.id).toBe(fileId);
      expect(await (await fetch(row.file.remoteUrl)).text()).toBe('what was bought');
    });

    it('fileId: of nothing, or of another company', async () => {
      for (const fileId of [UNKNOWN, Number.MAX_SAFE_INTEGER, await stranger.receipt()]) {
        await expectRefused(least({ fileId }), unknown('fileId'));
      }
    });

    it.each(DATES)('date: %s does not move (B7)', async (date) => {
      const id = await given({ date });
      expect((await read(id)).date).toBe(date);
      const { data } = await ours.list(`startDate=${date}&endDate=${date}&sortBy=id&limit=1`);
      expect(data[0]).toMatchObject({ expense: { id, date } });
    });

    it.each(WRONG_DATES)('date: %j is none', async (date) => {
      await expectRefused(least({ date }), invalid('date'));
    });

    it.each([0.01, 0.1, 0.3, 1.1, 118, 4_503_599_627.37, 90_071_992_547.41, MOST - 0.01, MOST])(
      'total, tax, deductableTax: %d is exact (B4)',
      async (total) => {
        const id = await given({ total, tax: total, deductableTax: total });
        const amounts = { total, tax: total, deductableTax: total, totalInILS: total };
        expect(await read(id)).toMatchObject(amounts);
        const { text } = await exchange(service.url, {
          ...{ method: 'GET', path: `/expenses/id/${id}` },
          headers: { authorization: `Bearer ${ours.key}` },
        });
        expect(text).toContain(`"total":${total},"tax":${total},"deductableTax":${total},`);
      },
    );

    it.each([0, -0, -0.01, -118, 0.001, 1.005, 0.1 + 0.2, 1e-7, MOST + 0.01, 1e21, '118', '', true, [118]])(
      'total: %j is refused: it is greater than zero, with at most 2 decimals',
      async (total) => {
        await expectRefused(least({ total, tax: 0, deductableTax: 0 }), invalid('total'));
      },
    );

    it.each(['tax', 'deductableTax'])('%s: wrong amounts are refused', async (field) => {
      for (const wrong of [-0.01, 0.001, 17.999, 0.1 + 0.2, '18', true, [], MOST + 0.01]) {
        await expectRefused(least({ [field]: wrong }), invalid(field));
      }
    });

    it('tax: from nothing to all of the total; deductableTax: from nothing to all of the tax', async () => {
      for (const [total, tax, deductableTax] of [
        [118, 0, 0],
        [0.3, 0.3, 0.3],
        [0.3, 0.3, 0],
        [118, 17.99, 17.98],
      ]) {
        expect(await read(await given({ total, tax, deductableTax }))).toMatchObject({
          ...{ total, tax, deductableTax },
        });
      }
      await expectRefused(least({ total: 0.3, tax: 0.31, deductableTax: 0.3 }), invalid('tax'));
      await expectRefused(least({ total: 118, tax: 18, deductableTax: 18.01 }), invalid('deductableTax'));
      const both = least({ total: 1, tax: 2, deductableTax: 3 });
      await expectRefused(both, invalid('tax'));
      await expectRefused(both, invalid('deductableTax'));
    });

    it.each(['vendorId', 'fileId', 'date', 'total', 'tax', 'deductableTax'])(
      '%s: is required',
      async (field) => {
        for (const nothing of [undefined, null]) {
          await expectRefused(least({ [field]: nothing }), invalid(field));
        }
      },
    );

    const texts: [field: string, value: string][] = [
      ['title', 'x'],
      ['title', ' רכבת לחיפה %_\\ 😀 '],
      ['title', "Robert'); drop table expenses;--"],
      ['title', '😀'.repeat(200)],
      ['documentNumber', ' R-1 '],
      ['documentNumber', 'ח'.repeat(100)],
      ['notes', 'first line\nsecond line'],
      ['notes', 'א'.repeat(2_000)],
    ];
    it.each(texts.map(([field, value]) => ({ field, value, as: shown(value) })))(
      '$field: $as is kept as it is',
      async ({ field, value }) => {
        expect(await read(await given({ [field]: value }))).toMatchObject({ ...UNTOLD, [field]: value });
      },
    );

    it.each(['title', 'documentNumber', 'notes', 'currency', 'isEquipment'])(
      '%s: may be left out, or null',
      async (field) => {
        const told = { title: 'a', documentNumber: 'b', currency: 'USD', notes: 'c', isEquipment: true };
        for (const nothing of [undefined, null]) {
          const expected = { ...told, [field]: UNTOLD[field as keyof typeof UNTOLD] };
          expect(await read(await given({ ...told, [field]: nothing }))).toMatchObject(expected);
        }
      },
    );

    it.each(['title', 'documentNumber', 'notes'])('%s: an empty text counts as left out', async (field) => {
      expect((await read(await given({ [field]: '' })))[field as 'title']).toBeNull();
      for (const wrong of ['   ', '\n', 'x'.repeat(2_001), 5, ['x'], {}]) {
        await expectRefused(least({ [field]: wrong }), invalid(field));
      }
    });

    it('currency: three letters of ISO 4217, ILS where it is left out', async () => {
      expect((await read(await given())).currency).toBe('ILS');
      for (const currency of ['ILS', 'USD', 'EUR', 'JPY']) {
        expect((await read(await given({ currency }))).currency).toBe(currency);
      }
      for (const currency of ['usd', 'ZZZ', 'US', 'USDX', '', ' USD', 'NIS', '₪', 376]) {
        await expectRefused(least({ currency }), invalid('currency'));
      }
    });

    it('isEquipment: false where it is left out', async () => {
      expect((await read(await given())).isEquipment).toBe(false);
      for (const isEquipment of [true, false]) {
        expect((await read(await given({ isEquipment }))).isEquipment).toBe(isEquipment);
      }
      for (const wrong of ['true', 1, 0, '', []]) {
        await expectRefused(least({ isEquipment: wrong }), invalid('isEquipment'));
      }
    });

    it('what the service tells itself cannot be told', async () => {
      const told = {
        ...{ id: 1, entityId: 1, userId: 77, companyId: 77, totalInILS: 1, exchangeRate: 2 },
        ...{ exchangeRateDate: '2001-01-01', createdAt: '2001-01-01T00:00:00Z', source: 'SUPPLIER_INVOICE' },
      };
      const { expenseId } = bodyIn<{ expenseId: number }>(await ours.send(least(told), true));
      expect(expenseId).not.toBe(1);
      const { expense, user } = await ours.read(expenseId);
      expect(expense).toMatchObject({ entityId: refers.vendorId, totalInILS: 118, exchangeRate: null });
      expect(Math.abs(Date.parse(expense.createdAt) - Date.now())).toBeLessThan(60_000);
      expect(user.name).toBe('Noa');
    });
  });

  describe('spec Expenses, PUT /expenses/edit/:id', () => {
    const told = {
      ...{ date: '2025-12-31', total: 100.5, tax: 15.33, deductableTax: 10 },
      ...{ title: 'Train', documentNumber: 'E-1', currency: 'ILS', notes: 'paid', isEquipment: true },
    };

    it('Response: { success, expenseId }, by 200', async () => {
      const { expenseId } = await ours.create({ ...LEAST_EXPENSE, ...(await ours.references()) });
      const answer = await ours.sendEdit(expenseId, { title: 'Another' });
      expect(answer.status).toBe(200);
      expect(bodyIn(answer)).toEqual({ success: true, expenseId });
      expect(bodyIn(await ours.sendEdit(expenseId, {}))).toEqual({ success: true, expenseId });
    });

    it.each<[field: string, value: unknown]>([
      ...DATES.map((date): [string, unknown] => ['date', date]),
      ['total', 100.51],
      ['total', MOST],
      ['tax', 10],
      ['tax', 100.5],
      ['deductableTax', 0],
      ['deductableTax', 15.33],
      ['title', ' כרטיס %_\\ '],
      ['documentNumber', 'E-2'],
      ['notes', 'unpaid'],
      ['isEquipment', false],
    ])('%s: %j is changed, and nothing else', async (field, value) => {
      const id = await given(told);
      const before = await ours.read(id);
      await ours.edit(id, { [field]: value });
      const after = await ours.read(id);
      const inShekels = field === 'total' ? { totalInILS: value } : {};
      expect(after.expense).toEqual({ ...before.expense, [field]: value, ...inShekels });
      expect(after).toMatchObject({ vendor: before.vendor, user: before.user, file: { id: refers.fileId } });
      expect((await ours.list(`sortBy=id&limit=1`)).data[0]!.expense).toEqual(after.expense);
    });

    it('vendorId: and entityId, which is its synonym; vendorId wins where both come', async () => {
      const id = await given(told);
      const [one, other] = [await ours.vendor('One'), await ours.vendor('Other')];
      await ours.edit(id, { vendorId: one });
      expect(await ours.read(id)).toMatchObject({ expense: { entityId: one }, vendor: { name: 'One' } });
      await ours.edit(id, { entityId: other });
      expect(await ours.read(id)).toMatchObject({ expense: { entityId: other }, vendor: { name: 'Other' } });
      for (const entityId of [other, UNKNOWN]) {
        await ours.edit(id, { vendorId: one, entityId });
        expect((await read(id)).entityId).toBe(one);
      }
      for (const entityId of ['x', null, 0]) {
        await ours.sendEdit(id, { vendorId: other, entityId }, true);
        expect((await read(id)).entityId).toBe(other);
      }
      await expectEditRefused(id, { entityId: null }, invalid('entityId'));
      await expectEditRefused(id, { entityId: '1' }, invalid('entityId'));
    });

    it('vendorId, entityId, fileId: what this company does not have is UNKNOWN_REFERENCE', async () => {
      const id = await given(told);
      const theirs = await stranger.references();
      for (const vendorId of [UNKNOWN, theirs.vendorId]) {
        await expectEditRefused(id, { vendorId }, unknown('vendorId'));
        await expectEditRefused(id, { entityId: vendorId }, unknown('entityId'));
      }
      for (const fileId of [UNKNOWN, theirs.fileId]) {
        await expectEditRefused(id, { title: 'Not saved', fileId }, unknown('fileId'));
      }
    });

    it('fileId: another receipt', async () => {
      const id = await given(told);
      const fileId = await ours.receipt('another receipt');
      await ours.edit(id, { fileId });
      const { expense, file } = await ours.read(id);
      expect([expense.fileId, file.id]).toEqual([fileId, fileId]);
      expect(await (await fetch(file.remoteUrl)).text()).toBe('another receipt');
    });

    it.each(['title', 'documentNumber', 'notes'])('%s: an empty text clears it', async (field) => {
      const id = await given(told);
      await ours.edit(id, { [field]: '' });
      expect(await read(id)).toMatchObject({ ...told, [field]: null });
    });

    it('null clears the notes; of any other field it is refused, and nothing is saved', async () => {
      const id = await given(told);
      const fields = Object.keys(told).filter((field) => field !== 'notes');
      for (const field of ['vendorId', 'fileId', ...fields]) {
        await expectEditRefused(id, { notes: 'Not saved', [field]: null }, invalid(field));
      }
      await ours.edit(id, { notes: null });
      expect(await read(id)).toMatchObject({ ...told, notes: null });
    });

    it.each(WRONG_DATES)('date: %j is none', async (date) => {
      await expectEditRefused(await given(told), { date }, invalid('date'));
    });

    it.each<[string, unknown]>([
      ['total', 0],
      ['total', 0.001],
      ['total', '1'],
      ['tax', -1],
      ['tax', 1.005],
      ['deductableTax', -0.01],
      ['currency', 'ils'],
      ['isEquipment', 'true'],
      ['title', '  '],
      ['title', 'x'.repeat(201)],
      ['documentNumber', 'x'.repeat(101)],
      ['notes', 'x'.repeat(2_001)],
      ['vendorId', '1'],
      ['fileId', 0],
    ])('%s: %j is refused', async (field, value) => {
      await expectEditRefused(await given(told), { [field]: value }, invalid(field));
    });

    it('total, tax, deductableTax: are held against what there is afterwards', async () => {
      const id = await given(told);
      await expectEditRefused(id, { total: 15.32 }, invalid('tax'));
      await expectEditRefused(id, { tax: 100.51 }, invalid('tax'));
      await expectEditRefused(id, { tax: 9.99 }, invalid('deductableTax'));
      await expectEditRefused(id, { deductableTax: 15.34 }, invalid('deductableTax'));
      await ours.edit(id, { total: 1, tax: 0.5, deductableTax: 0.5 });
      expect(await read(id)).toMatchObject({ total: 1, tax: 0.5, deductableTax: 0.5, totalInILS: 1 });
    });

    it('changes of several fields at once are all kept', async () => {
      const id = await given(told);
      for (let round = 0; round < 5; round++) {
        const changes: Json[] = [{ title: `t${round}` }, { notes: `n${round}` }, { total: 200 + round }];
        await Promise.all(changes.map((one) => ours.edit(id, one)));
        expect(await read(id)).toMatchObject({ ...Object.assign({}, ...changes), totalInILS: 200 + round });
      }
    });

    it('taxes hold, whatever is changed at once', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await given({ total: 100, tax: 50, deductableTax: 10 });
        const changes: Json[] = [{ total: 40 }, { tax: 90 }, { deductableTax: 50 }, { tax: 20 }];
        await Promise.all(changes.map((one) => ours.sendEdit(id, one)));
        const { total, tax, deductableTax } = await read(id);
        expect({ total, tax, deductableTax, fits: deductableTax <= tax && tax <= total }).toMatchObject({
          fits: true,
        });
      }
    });

    it('and a deletion at once: it is gone', async () => {
      for (let round = 0; round < 5; round++) {
        const id = await given();
        const [edited, deleted] = await Promise.all([
          ours.sendEdit(id, { title: 'x', total: 200 }),
          ours.sendDelete(id),
        ]);
        expect([200, 404]).toContain(edited.status);
        expect(deleted.status).toBe(200);
        expect(await ours.find(id)).toBeNull();
      }
    });

    it('an unknown id is 404, and so is what another company has, or what came from a supplier invoice', async () => {
      await stranger.create({ ...LEAST_EXPENSE, ...(await stranger.references()) });
      const theirs = (await stranger.list()).data[0]!.expense;
      await skipIds();
      const { purchaseId } = await ours.purchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId });
      for (const id of [0, UNKNOWN, theirs.id, purchaseId]) {
        expectError(await ours.sendEdit(id, { title: 'Mine' }), notFound);
        expectError(await ours.sendEdit(id, {}), notFound);
      }
      expect((await stranger.list()).data[0]!.expense).toEqual(theirs);
    });

    it.each(['abc', '-1', '1.5', '1e3', '%20', '99999999999999999999'])('id: %s is 400', async (id) => {
      expectError(await ours.sendEdit(id, { title: 'x' }), invalid('id'));
    });
  });

  /** Leaves ids that only supplier invoices get. */
  const skipIds = () =>
    service.database.query(
      `select setval('documents_id_seq', greatest((select last_value from documents_id_seq),
                (select last_value from expenses_id_seq)) + 100000)`,
    );

  describe('spec Expenses, DELETE /expenses/delete/:id', () => {
    it('Response: { success }; it is gone, and its receipt stays', async () => {
      const id = await given({ title: 'To be deleted' });
      const { file } = await ours.read(id);
      const before = Number(await totalOf());
      const answer = await ours.sendDelete(id);
      expect({ status: answer.status, body: bodyIn(answer) }).toEqual({
        ...{ status: 200, body: { success: true } },
      });
      expect(await ours.find(id)).toBeNull();
      expect(await totalOf()).toBe(before - 1);
      const { data } = await ours.list('search=to be deleted'.replaceAll(' ', '%20'));
      expect(data).toEqual([]);
      expect((await fetch(file.remoteUrl)).status).toBe(200);
      expectError(await ours.sendDelete(id), notFound);
      expectError(await ours.sendEdit(id, { title: 'x' }), notFound);
    });

    it('an unknown id is 404, and so is what another company has, or what came from a supplier invoice', async () => {
      const theirs = await stranger.create({ ...LEAST_EXPENSE, ...(await stranger.references()) });
      await skipIds();
      const made = await ours.purchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId });
      for (const id of [0, UNKNOWN, theirs.expenseId, made.purchaseId]) {
        expectError(await ours.sendDelete(id), notFound);
      }
      expect(await stranger.find(theirs.expenseId)).not.toBeNull();
      expect(await ours.readPurchase(made.visibleId)).toMatchObject({ cancelled: false });
    });

    it.each(['abc', '-1', '1.5', '1e3', '%20', '99999999999999999999'])('id: %s is 400', async (id) => {
      expectError(await ours.sendDelete(id), invalid('id'));
    });
  });

  describe('spec Expenses, GET /expenses/id/:id', () => {
    const ask = (id: number | string) =>
      ours.api.send('GET /expenses/id/{id}', { at: `/expenses/id/${id}`, key: ours.key });

    it('Response: one Expense row, as it is in the list', async () => {
      const id = await given({ title: 'Read alone' });
      const [listed] = (await ours.list('sortBy=id&limit=1')).data;
      const { file, ...row } = await ours.read(id);
      expect(listed).toEqual({ ...row, file: { id: file.id, remoteUrl: expect.any(String) } });
    });

    it('an unknown id answers 200 with body null, and so do those of others (B14)', async () => {
      const theirs = await stranger.create({ ...LEAST_EXPENSE, ...(await stranger.references()) });
      await skipIds();
      const made = await ours.purchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId });
      for (const id of [0, UNKNOWN, '999999999999999', theirs.expenseId, made.purchaseId]) {
        const { status, text, headers } = await ask(id);
        expect({ id, status, text, type: headers['content-type'] }).toEqual({
          ...{ id, status: 200, text: 'null', type: 'application/json; charset=utf-8' },
        });
      }
    });

    it.each(['abc', '-1', '+1', '1.5', '1e3', '0x10', '%20', 'null', '99999999999999999999'])(
      'id: is a required number, and %s is none',
      async (id) => expectError(await ask(id), invalid('id')),
    );
  });

  describe('spec Expense, Expense row', () => {
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
      // Beside those of the specification.
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

    it('has these fields and no others, also where nothing was told', async () => {
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

    it('user: is who recorded it, whoever changes it', async () => {
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

    it('vendor: is called as it is called now, in the list as well', async () => {
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

    it('include=all: what comes from a supplier invoice has source and documentVisibleId, no user or file', async () => {
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

  describe('spec Expenses, GET /expenses', () => {
    let own: CostsClient;
    /** Of a company that has nothing, until the last of the tests here. */
    let nobody: CostsClient;
    let vendors: Record<'A' | 'B', number>;
    /** What each row is called here, by whether it is a supplier invoice, and by its id. */
    const names = new Map<string, string>();
    const nameOf = ({ source, expense }: ExpenseRow) => names.get(`${source ?? ''}${expense.id}`)!;
    /** The rows that are found, in their order, none left out. */
    async function found(query: string): Promise<string[]> {
      const { data, pagination } = await own.list(query);
      expect(pagination['total']).toBe(data.length);
      return data.map(nameOf);
    }
    const isOwn = (name: string) => !name.startsWith('P');
    const ALL = ['P1', '4', '3', 'P0', '2', '1', '0', '5'];
    const OWN = ALL.filter(isOwn);
    /** Finds these with supplier invoices, and of these the expenses alone. */
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

    it('Response: { data, pagination }, the newest date first', async () => {
      const all = await own.list();
      expect(Object.keys(all).sort()).toEqual(['data', 'pagination']);
      expect(all.data.map(nameOf)).toEqual(OWN);
      expect(all.pagination).toEqual({ total: 6, ...PAGE });
    });

    it('Response: is empty where there is nothing', async () => {
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
      // Neither the vendor nor the currency is searched.
      ['paper', []],
      ['ILS', []],
      ['', ALL],
      ['  ', ALL],
    ])('search: %j in the title, the notes or the document number', async (search, expected) => {
      await expectFound(`search=${encoded(search)}`, expected);
    });

    it('search: finds any letters and any script, case aside', async () => {
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

    it('include: all also folds in supplier invoices that are not cancelled', async () => {
      expect(await found('include=all')).toEqual(ALL);
      const { pagination } = await own.list('include=all');
      expect(pagination).toEqual({ ...PAGE, total: 8 });
    });

    it('startDate, endDate: on or after, on or before', async () => {
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

    it('vendorId: of this vendor alone', async () => {
      await expectFound(`vendorId=${vendors.A}`, ['4', 'P0', '2', '0']);
      await expectFound(`vendorId=${vendors.B}`, ['P1', '3', '1', '5']);
      for (const id of ['0', UNKNOWN, '999999999999999', refers.vendorId]) {
        await expectFound(`vendorId=${id}`, []);
      }
    });

    it('filters count together', async () => {
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
    ])('%s: wrong values are refused', async (field, values) => {
      for (const value of values) {
        const at = `/expenses?${field}=${value}`;
        expectError(await own.api.send('GET /expenses', { at, key: own.key }), invalid(field));
      }
    });

    it('what is not known is ignored', async () => {
      expect(await found('total=118&currency=USD&isEquipment=true&companyId=1')).toEqual(OWN);
    });

    it.each(WINDOWS)(
      'limit, offset, page, pageSize: ?%s is %d from %d (G4)',
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

    it('shows and counts what was changed since, whatever was read before', async () => {
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

  describe('spec Expenses, GET /expenses, sortBy and sortOrder, of many equal rows (G3)', () => {
    const KEYS = ['id', 'date', 'title', 'total', 'tax', 'deductableTax', 'isEquipment'] as const;
    type Key = (typeof KEYS)[number];
    const TITLES = [null, 'apple', 'Apple', 'Zebra', 'תפוח', 'éclair', '😀', '\u{ffee}', '10', '9'];
    let own: CostsClient;
    /** Of both kinds: the first twelve of each have the same ids. */
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

  describe('spec Expense, totalInILS', () => {
    let own: CostsClient;
    let refersTo: Refers;
    const made = async (more: Body) =>
      (await own.create({ ...refersTo, date: '2025-01-12', total: 100, tax: 0, deductableTax: 0, ...more }))
        .expenseId;
    const inShekels = async (id: number) => {
      const { totalInILS, exchangeRate, exchangeRateDate } = (await own.read(id)).expense;
      return [totalInILS, exchangeRate, exchangeRateDate];
    };
    const NONE = [null, null, null];

    beforeAll(async () => {
      own = await ours.ofNewCompany();
      refersTo = await own.references();
      await own.rates(['USD', '2025-01-10', 3.6001], ['USD', '2025-01-20', 3.7], ['USD', '2026-11-20', 3.1]);
      await own.rates(['JPY', '2025-01-12', 2.0501, 100], ['XAF', '2025-01-12', 0.0051]);
      await own.rates(['KRW', '2025-01-12', 1.0001, 1000]);
    });

    it.each([
      ['2025-01-10', 360.01, 3.6001, '2025-01-10'],
      ['2025-01-19', 360.01, 3.6001, '2025-01-10'],
      ['2025-01-20', 370, 3.7, '2025-01-20'],
      ['2025-01-30', 370, 3.7, '2025-01-20'],
      ['2025-01-31', null, null, null],
      ['2025-01-09', null, null, null],
      ['2026-11-19', null, null, null],
      ['2026-11-20', 310, 3.1, '2026-11-20'],
      ['2026-11-30', 310, 3.1, '2026-11-20'],
      ['2026-12-01', null, null, null],
    ])('is by the rate of its own date, not of today (B6): %s', async (date, total, rate, rateDate) => {
      expect(await inShekels(await made({ date, currency: 'USD' }))).toEqual([total, rate, rateDate]);
    });

    it('equals the total where the currency is ILS; is null where no rate was available', async () => {
      for (const total of [0.01, 0.3, 118, MOST]) {
        expect(await inShekels(await made({ total }))).toEqual([total, null, null]);
      }
      expect(await inShekels(await made({ currency: 'EUR' }))).toEqual(NONE);
    });

    it('is rounded once, half away from zero, whatever a float would make of it (B4)', async () => {
      const cases: [currency: string, total: number, expected: number, perUnit: number][] = [
        ['USD', 0.3, 1.08, 3.6001],
        ['USD', 0.01, 0.04, 3.6001],
        ['USD', 33.33, 119.99, 3.6001],
        ['USD', 1_234_567.89, 4_444_567.86, 3.6001],
        ['JPY', 1_000, 20.5, 0.020501],
        ['JPY', 12_345, 253.08, 0.020501],
        ['XAF', 100, 0.51, 0.0051],
        ['XAF', 50, 0.26, 0.0051],
        ['XAF', 0.5, 0, 0.0051],
        // It comes to 100,010,350.134999999.
        ['KRW', 100_000_350_099.99, 100_010_350.13, 0.0010001],
      ];
      for (const [currency, total, expected, perUnit] of cases) {
        const date = currency === 'USD' ? '2025-01-10' : '2025-01-12';
        expect({ currency, total, is: await inShekels(await made({ currency, total })) }).toEqual({
          ...{ currency, total, is: [expected, perUnit, date] },
        });
      }
    });

    it('is null where it would be more than an amount of money can be', async () => {
      expect(await inShekels(await made({ currency: 'USD', total: MOST }))).toEqual([
        ...[null, 3.6001, '2025-01-10'],
      ]);
    });

    it('is told anew where the date, the currency or the total is another', async () => {
      const id = await made({ currency: 'USD' });
      const steps: [changes: Json, expected: unknown[]][] = [
        [{ date: '2025-01-21' }, [370, 3.7, '2025-01-20']],
        [{ total: 200.01 }, [740.04, 3.7, '2025-01-20']],
        [{ currency: 'ILS' }, [200.01, null, null]],
        [{ currency: 'JPY' }, [4.1, 0.020501, '2025-01-12']],
        [{ currency: 'EUR' }, NONE],
        [{ total: 10 }, NONE],
        [{ currency: 'USD', date: '2026-11-25', total: 0.1 }, [0.31, 3.1, '2026-11-20']],
        [{ date: '2024-11-25' }, NONE],
        [{ date: '2025-01-10' }, [0.36, 3.6001, '2025-01-10']],
      ];
      for (const [changes, expected] of steps) {
        await own.edit(id, changes);
        expect({ changes, is: await inShekels(id) }).toEqual({ changes, is: expected });
        const { data } = await own.list('sortBy=id&limit=1');
        expect(data[0]!.expense.totalInILS).toBe(expected[0]);
      }
    });

    it('is left as it is by any other change, though the rate was revised', async () => {
      const id = await made({ currency: 'GBP', date: '2025-06-01', tax: 50, title: 'a' });
      await own.rates(['GBP', '2025-06-01', 4.5]);
      await until('the rate to be used', async () => (await inShekels(id))[0] === 450);
      await own.rates(['GBP', '2025-06-01', 4.6]);
      const vendorId = await own.vendor('Other');
      const fileId = await own.receipt();
      const others = { title: 'b', notes: 'c', documentNumber: 'd', tax: 5, isEquipment: true };
      for (const changes of [
        others,
        { vendorId, fileId },
        { total: 100, currency: 'GBP', date: '2025-06-01' },
      ]) {
        await own.edit(id, changes);
        expect(await inShekels(id)).toEqual([450, 4.5, '2025-06-01']);
      }
      await own.edit(id, { total: 100.01 });
      expect(await inShekels(id)).toEqual([460.05, 4.6, '2025-06-01']);
    });

    it('comes with a rate that was missing, by PUT /exchange-rates', async () => {
      const ids = [
        await made({ currency: 'CHF', date: '2025-03-01' }),
        await made({ currency: 'CHF', date: '2025-03-11' }),
        await made({ currency: 'CHF', date: '2025-03-12' }),
        await made({ currency: 'CHF', date: '2025-02-28' }),
      ];
      const shekels = async () => Promise.all(ids.map(inShekels));
      expect(await shekels()).toEqual([NONE, NONE, NONE, NONE]);
      const before = (await own.read(ids[0]!)).expense;
      await own.rates(['CHF', '2025-03-01', 4.0001]);
      const converted = [400.01, 4.0001, '2025-03-01'];
      await until('the rate to be used', async () => (await inShekels(ids[1]!))[0] !== null);
      expect(await shekels()).toEqual([converted, converted, NONE, NONE]);
      const { data } = await own.list('startDate=2025-03-01&endDate=2025-03-11');
      expect(data.map(({ expense }) => expense.totalInILS)).toEqual([400.01, 400.01]);
      expect((await own.read(ids[0]!)).expense).toEqual({
        ...{ ...before, totalInILS: 400.01, exchangeRate: 4.0001, exchangeRateDate: '2025-03-01' },
      });
      // One of a day nearer to it counts instead; another company's never does.
      await stranger.rates(['CHF', '2025-03-02', 9]);
      await own.rates(['CHF', '2025-03-10', 4.2], ['CHF', '2025-02-20', 3.9]);
      await until('the rates to be used', async () => (await inShekels(ids[3]!))[0] !== null);
      expect(await shekels()).toEqual([
        converted,
        [420, 4.2, '2025-03-10'],
        [420, 4.2, '2025-03-10'],
        [390, 3.9, '2025-02-20'],
      ]);
    });

    it('comes however a rate and the expenses that need it arrive at once', async () => {
      for (const [round, currency] of ['SEK', 'NOK', 'DKK', 'PLN'].entries()) {
        const date = `2025-05-0${round + 1}`;
        const [ids] = await Promise.all([
          Promise.all(Array.from({ length: 12 }, () => made({ currency, date, total: 10 }))),
          own.rates([currency, date, 0.3501]),
        ]);
        await until('all of them to be converted', async () => {
          const all = await Promise.all(ids.map(inShekels));
          return all.every(([total]) => total === 3.5);
        });
      }
    });

    const ofInvoice = async (more: Body & { readonly date: string }) => {
      const body = { ...LEAST_PURCHASE, vendorId: refersTo.vendorId, tax: 0, total: 100, ...more };
      const { purchaseId } = await own.purchase(body);
      const { data } = await own.list(`include=all&startDate=${more.date}&endDate=${more.date}`);
      const { expense } = data.find((row) => row.source && row.expense.id === purchaseId)!;
      return [expense.totalInILS, expense.exchangeRate, expense.exchangeRateDate];
    };

    it.each<[more: Body & { readonly date: string }, expected: unknown[]]>([
      [{ date: '2025-01-19', currency: 'USD' }, [360.01, 3.6001, '2025-01-10']],
      [{ date: '2025-01-30', currency: 'USD' }, [370, 3.7, '2025-01-20']],
      [{ date: '2025-01-31', currency: 'USD' }, [null, null, null]],
      [{ date: '2025-01-31', currency: 'ILS', total: 0.3 }, [0.3, null, null]],
      [{ date: '2025-01-13', currency: 'JPY', total: 12_345 }, [253.08, 0.020501, '2025-01-12']],
      [
        { date: '2025-01-13', currency: 'KRW', total: 100_000_350_099.99 },
        [100_010_350.13, 0.0010001, '2025-01-12'],
      ],
      [{ date: '2025-01-14', currency: 'USD', total: MOST }, [null, 3.6001, '2025-01-10']],
    ])('is told of supplier invoices in the same way, with include=all: %j', async (more, expected) => {
      expect(await ofInvoice(more)).toEqual(expected);
    });
  });

  describe('Expenses that are likely to be the same', () => {
    const body = async (more: Body = {}) => ({ ...LEAST_EXPENSE, ...(await ours.references()), ...more });

    it.each([
      ['R-1', 'R-1'],
      ['R-1', 'r-1'],
      ['R-1', '  r-1 '],
      [' R-1 ', 'R-1'],
      ['חשבונית 7', ' חשבונית 7'],
      ['É-7', 'é-7'],
      ['СЧЁТ-7', 'счёт-7'],
      ['a%_\\', 'A%_\\'],
    ])('are told: of one vendor, with the document numbers %j and %j', async (one, other) => {
      const first = await ours.create(await body({ documentNumber: one }));
      expect(first).toEqual({ success: true, expenseId: first.expenseId });
      const { entityId } = (await ours.read(first.expenseId)).expense;
      const second = await ours.create(await body({ vendorId: entityId, documentNumber: other }));
      expect(second).toEqual({
        ...{ success: true, expenseId: second.expenseId, possibleDuplicateOf: [first.expenseId] },
      });
      expect((await ours.read(second.expenseId)).expense.documentNumber).toBe(other);
    });

    it.each([
      ['R-1', 'R-10'],
      ['R-1', 'R1'],
      ['R-1', 'R -1'],
      ['R_1', 'R-1'],
      ['', ''],
      [null, null],
    ])('are not told: of one vendor, with the document numbers %j and %j', async (one, other) => {
      const { vendorId } = await ours.references();
      await ours.create(await body({ vendorId, documentNumber: one }));
      const second = await ours.create(await body({ vendorId, documentNumber: other }));
      expect(second).toEqual({ success: true, expenseId: second.expenseId });
    });

    it('are not told: the same document number of another vendor', async () => {
      await ours.create(await body({ documentNumber: 'Same' }));
      expect(await ours.create(await body({ documentNumber: 'Same' }))).not.toHaveProperty(
        'possibleDuplicateOf',
      );
    });

    it('are told: with the same file, or another file of the same bytes', async () => {
      const fileId = await ours.receipt('the very same bytes');
      const first = await ours.create(await body({ fileId }));
      const second = await ours.create(await body({ fileId }));
      expect(second.possibleDuplicateOf).toEqual([first.expenseId]);
      const again = await ours.receipt('the very same bytes');
      const third = await ours.create(await body({ fileId: again }));
      expect(third.possibleDuplicateOf).toEqual([first.expenseId, second.expenseId]);
      await ours.receipt('the very same bytes.');
      expect(await ours.create(await body())).not.toHaveProperty('possibleDuplicateOf');
    });

    it('are told once where both are the same, the oldest first, at most 20', async () => {
      const same = await body({ documentNumber: 'Both' });
      const ids: number[] = [];
      for (let n = 0; n < 22; n++) {
        const { expenseId, possibleDuplicateOf } = await ours.create(same);
        expect(possibleDuplicateOf).toEqual(ids.length > 0 ? ids.slice(0, 20) : undefined);
        ids.push(expenseId);
      }
    });

    it('are told on edit, where it is changed into one; what was deleted is told no more', async () => {
      const first = await ours.create(await body({ documentNumber: 'E-1' }));
      const { entityId, fileId } = (await ours.read(first.expenseId)).expense;
      const { expenseId } = await ours.create(await body({ documentNumber: 'e-1' }));
      const duplicate = { success: true, expenseId, possibleDuplicateOf: [first.expenseId] };
      expect(await ours.edit(expenseId, { vendorId: entityId })).toEqual(duplicate);
      expect(await ours.edit(expenseId, { documentNumber: 'E-2' })).toEqual({ success: true, expenseId });
      expect(await ours.edit(expenseId, { fileId: fileId! })).toEqual(duplicate);
      expect(await ours.edit(expenseId, { title: 'Still' })).toEqual(duplicate);
      await ours.sendDelete(first.expenseId);
      expect(await ours.edit(expenseId, { title: 'Alone' })).toEqual({ success: true, expenseId });
    });

    it('are never those of another company', async () => {
      const bytes = 'bytes of two companies';
      const vendorId = await stranger.vendor();
      const fileId = await stranger.receipt(bytes);
      const told = { ...LEAST_EXPENSE, vendorId, fileId, documentNumber: 'T-1' };
      await stranger.create(told);
      const mine = await ours.create(
        await body({ fileId: await ours.receipt(bytes), documentNumber: 'T-1' }),
      );
      expect(mine).toEqual({ success: true, expenseId: mine.expenseId });
      expect((await stranger.create(told)).possibleDuplicateOf).toHaveLength(1);
    });

    it('that are recorded at once: at least one names the other', async () => {
      for (let round = 0; round < 5; round++) {
        const byNumber = await body({ documentNumber: `race ${round}` });
        const bytes = `race ${round} of ${zone}`;
        const byFile = [
          await body({ fileId: await ours.receipt(bytes) }),
          await body({ fileId: await ours.receipt(bytes) }),
        ];
        for (const pair of [[byNumber, { ...byNumber, fileId: await ours.receipt() }], byFile]) {
          const [one, other] = await Promise.all(pair.map((each) => ours.create(each)));
          const named = [...(one!.possibleDuplicateOf ?? []), ...(other!.possibleDuplicateOf ?? [])];
          expect(named.length).toBeGreaterThan(0);
          expect([one!.expenseId, other!.expenseId]).toEqual(expect.arrayContaining(named));
        }
      }
    });

    it('are told of by no refusal, and recorded by none', async () => {
      const same = await body({ documentNumber: 'Refused' });
      await ours.create(same);
      const before = await totalOf();
      const answer = await ours.send({ ...same, deductableTax: 19 });
      expectError(answer, invalid('deductableTax'));
      expect(answer.text).not.toContain('possibleDuplicateOf');
      expect(await totalOf()).toBe(before);
    });
  });
});
