import { type Json, LEAST_EXPENSE, LEAST_PURCHASE } from './costs-client';
import { type ExpectedError, expectError } from './error-body';
import { invalid, notFound, unknown } from './expected-errors';
import {
  given,
  least,
  MOST,
  ours,
  read,
  refers,
  serveExpenses,
  service,
  skipIds,
  stranger,
  totalOf,
  UNTOLD,
  WRONG_DATES,
  ZONES,
} from './expense-calls';
import { type Answer, exchange } from './http-exchange';
import { UNKNOWN_ID } from './wire-values';

/** Ends of months and years, leap days, and days with clock changes or date line changes in the two zones. */
const DATES = [
  ...['2026-01-01', '2026-01-31', '2026-02-28', '2026-03-01', '2026-04-30', '2026-12-31', '2025-12-31'],
  ...['2024-02-29', '2000-02-29', '2028-02-29', '1900-02-28', '1900-01-01', '9999-12-31', '1999-12-31'],
  ...['2026-03-27', '2026-03-28', '2026-10-25', '2026-10-24', '1994-12-31', '1995-01-01', '1970-01-01'],
];
const bodyIn = <T = Json>({ text }: Answer): T => JSON.parse(text) as T;
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'left out';

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

describe.each(ZONES)('in the time zone %s', (zone) => {
  serveExpenses(zone);

  describe('POST /expenses/create (contract §11.2)', () => {
    it('Response: { success, expenseId } with 201', async () => {
      const answer = await ours.send({ ...LEAST_EXPENSE, ...(await ours.references()) });
      expect(answer.status).toBe(201);
      expect(bodyIn(answer)).toEqual({ success: true, expenseId: expect.any(Number) });
    });

    it('vendorId: the numeric entity id, which is returned as entityId and vendor', async () => {
      const vendorId = await ours.vendor('Tools & Co');
      const row = await ours.read(await given({ vendorId }));
      expect(row.expense.entityId).toBe(vendorId);
      expect(row.vendor).toEqual({ id: vendorId, name: 'Tools & Co' });
    });

    it('vendorId: unknown, of another company, or of a client that is not a vendor', async () => {
      const client = { name: 'Acme', taxId: '1', type: 'COMPANY' };
      const { api, key } = ours;
      const made = await api.ok<{ clientId: number }>('POST /clients/create', { body: client, key });
      for (const vendorId of [UNKNOWN_ID, Number.MAX_SAFE_INTEGER, await stranger.vendor(), made.clientId]) {
        await expectRefused(least({ vendorId }), unknown('vendorId'));
      }
      await api.ok('POST /vendors/create', { body: { entityId: made.clientId }, key });
      expect((await read(await given({ vendorId: made.clientId }))).entityId).toBe(made.clientId);
    });

    it('fileId: the receipt, which can be read and opened', async () => {
      const fileId = await ours.receipt('what was bought');
      const row = await ours.read(await given({ fileId }));
      expect(row.expense.fileId).toBe(fileId);
      expect(row.file.id).toBe(fileId);
      expect(await (await fetch(row.file.remoteUrl)).text()).toBe('what was bought');
    });

    it('fileId: unknown, or of another company', async () => {
      for (const fileId of [UNKNOWN_ID, Number.MAX_SAFE_INTEGER, await stranger.receipt()]) {
        await expectRefused(least({ fileId }), unknown('fileId'));
      }
    });

    it.each(DATES)('date: %s is not shifted (contract §1.4)', async (date) => {
      const id = await given({ date });
      expect((await read(id)).date).toBe(date);
      const { data } = await ours.list(`startDate=${date}&endDate=${date}&sortBy=id&limit=1`);
      expect(data[0]).toMatchObject({ expense: { id, date } });
    });

    it.each(WRONG_DATES)('date: %j is refused', async (date) => {
      await expectRefused(least({ date }), invalid('date'));
    });

    it.each([0.01, 0.1, 0.3, 1.1, 118, 4_503_599_627.37, 90_071_992_547.41, MOST - 0.01, MOST])(
      'total, tax, deductableTax: %d is exact (contract §1.3)',
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
      'total: %j is refused: it must be greater than zero, with at most 2 decimals',
      async (total) => {
        await expectRefused(least({ total, tax: 0, deductableTax: 0 }), invalid('total'));
      },
    );

    it.each(['tax', 'deductableTax'])('%s: invalid amounts are refused', async (field) => {
      for (const wrong of [-0.01, 0.001, 17.999, 0.1 + 0.2, '18', true, [], MOST + 0.01]) {
        await expectRefused(least({ [field]: wrong }), invalid(field));
      }
    });

    it('tax: from 0 to the total; deductableTax: from 0 to the tax', async () => {
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
      '$field: $as is stored unchanged',
      async ({ field, value }) => {
        expect(await read(await given({ [field]: value }))).toMatchObject({ ...UNTOLD, [field]: value });
      },
    );

    it.each(['title', 'documentNumber', 'notes', 'currency', 'isEquipment'])(
      '%s: may be omitted or null',
      async (field) => {
        const told = { title: 'a', documentNumber: 'b', currency: 'USD', notes: 'c', isEquipment: true };
        for (const nothing of [undefined, null]) {
          const expected = { ...told, [field]: UNTOLD[field as keyof typeof UNTOLD] };
          expect(await read(await given({ ...told, [field]: nothing }))).toMatchObject(expected);
        }
      },
    );

    it.each(['title', 'documentNumber', 'notes'])('%s: an empty text counts as omitted', async (field) => {
      expect((await read(await given({ [field]: '' })))[field as 'title']).toBeNull();
      for (const wrong of ['   ', '\n', 'x'.repeat(2_001), 5, ['x'], {}]) {
        await expectRefused(least({ [field]: wrong }), invalid(field));
      }
    });

    it('currency: ISO 4217, ILS by default', async () => {
      expect((await read(await given())).currency).toBe('ILS');
      for (const currency of ['ILS', 'USD', 'EUR', 'JPY']) {
        expect((await read(await given({ currency }))).currency).toBe(currency);
      }
      for (const currency of ['usd', 'ZZZ', 'US', 'USDX', '', ' USD', 'NIS', '₪', 376]) {
        await expectRefused(least({ currency }), invalid('currency'));
      }
    });

    it('isEquipment: false by default', async () => {
      expect((await read(await given())).isEquipment).toBe(false);
      for (const isEquipment of [true, false]) {
        expect((await read(await given({ isEquipment }))).isEquipment).toBe(isEquipment);
      }
      for (const wrong of ['true', 1, 0, '', []]) {
        await expectRefused(least({ isEquipment: wrong }), invalid('isEquipment'));
      }
    });

    it('values that the service sets cannot be sent', async () => {
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

  describe('PUT /expenses/edit/:id (contract §11.3)', () => {
    const told = {
      ...{ date: '2025-12-31', total: 100.5, tax: 15.33, deductableTax: 10 },
      ...{ title: 'Train', documentNumber: 'E-1', currency: 'ILS', notes: 'paid', isEquipment: true },
    };

    it('Response: { success, expenseId } with 200', async () => {
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

    it('vendorId: and its synonym entityId; vendorId takes precedence', async () => {
      const id = await given(told);
      const [one, other] = [await ours.vendor('One'), await ours.vendor('Other')];
      await ours.edit(id, { vendorId: one });
      expect(await ours.read(id)).toMatchObject({ expense: { entityId: one }, vendor: { name: 'One' } });
      await ours.edit(id, { entityId: other });
      expect(await ours.read(id)).toMatchObject({ expense: { entityId: other }, vendor: { name: 'Other' } });
      for (const entityId of [other, UNKNOWN_ID]) {
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

    it('vendorId, entityId, fileId: unknown ids are UNKNOWN_REFERENCE', async () => {
      const id = await given(told);
      const theirs = await stranger.references();
      for (const vendorId of [UNKNOWN_ID, theirs.vendorId]) {
        await expectEditRefused(id, { vendorId }, unknown('vendorId'));
        await expectEditRefused(id, { entityId: vendorId }, unknown('entityId'));
      }
      for (const fileId of [UNKNOWN_ID, theirs.fileId]) {
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

    it('null clears the notes; for other fields it is refused, and nothing is saved', async () => {
      const id = await given(told);
      const fields = Object.keys(told).filter((field) => field !== 'notes');
      for (const field of ['vendorId', 'fileId', ...fields]) {
        await expectEditRefused(id, { notes: 'Not saved', [field]: null }, invalid(field));
      }
      await ours.edit(id, { notes: null });
      expect(await read(id)).toMatchObject({ ...told, notes: null });
    });

    it.each(WRONG_DATES)('date: %j is refused', async (date) => {
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

    it('total, tax, deductableTax: are validated together with the stored values', async () => {
      const id = await given(told);
      await expectEditRefused(id, { total: 15.32 }, invalid('tax'));
      await expectEditRefused(id, { tax: 100.51 }, invalid('tax'));
      await expectEditRefused(id, { tax: 9.99 }, invalid('deductableTax'));
      await expectEditRefused(id, { deductableTax: 15.34 }, invalid('deductableTax'));
      await ours.edit(id, { total: 1, tax: 0.5, deductableTax: 0.5 });
      expect(await read(id)).toMatchObject({ total: 1, tax: 0.5, deductableTax: 0.5, totalInILS: 1 });
    });

    it('concurrent changes of different fields are all kept', async () => {
      const id = await given(told);
      for (let round = 0; round < 5; round++) {
        const changes: Json[] = [{ title: `t${round}` }, { notes: `n${round}` }, { total: 200 + round }];
        await Promise.all(changes.map((one) => ours.edit(id, one)));
        expect(await read(id)).toMatchObject({ ...Object.assign({}, ...changes), totalInILS: 200 + round });
      }
    });

    it('taxes stay valid with concurrent changes', async () => {
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

    it('with a concurrent deletion: the expense is gone', async () => {
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

    it('an unknown id is 404, and so is an id of another company or of a supplier invoice', async () => {
      await stranger.create({ ...LEAST_EXPENSE, ...(await stranger.references()) });
      const theirs = (await stranger.list()).data[0]!.expense;
      await skipIds();
      const { purchaseId } = await ours.purchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId });
      for (const id of [0, UNKNOWN_ID, theirs.id, purchaseId]) {
        expectError(await ours.sendEdit(id, { title: 'Mine' }), notFound);
        expectError(await ours.sendEdit(id, {}), notFound);
      }
      expect((await stranger.list()).data[0]!.expense).toEqual(theirs);
    });

    it.each(['abc', '-1', '1.5', '1e3', '%20', '99999999999999999999'])('id: %s is 400', async (id) => {
      expectError(await ours.sendEdit(id, { title: 'x' }), invalid('id'));
    });
  });

  describe('DELETE /expenses/delete/:id (contract §11.3)', () => {
    it('Response: { success }; the expense is gone, and its receipt stays', async () => {
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

    it('an unknown id is 404, and so is an id of another company or of a supplier invoice', async () => {
      const theirs = await stranger.create({ ...LEAST_EXPENSE, ...(await stranger.references()) });
      await skipIds();
      const made = await ours.purchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId });
      for (const id of [0, UNKNOWN_ID, theirs.expenseId, made.purchaseId]) {
        expectError(await ours.sendDelete(id), notFound);
      }
      expect(await stranger.find(theirs.expenseId)).not.toBeNull();
      expect(await ours.readPurchase(made.visibleId)).toMatchObject({ cancelled: false });
    });

    it.each(['abc', '-1', '1.5', '1e3', '%20', '99999999999999999999'])('id: %s is 400', async (id) => {
      expectError(await ours.sendDelete(id), invalid('id'));
    });
  });

  describe('GET /expenses/id/:id (contract §11.4)', () => {
    const ask = (id: number | string) =>
      ours.api.send('GET /expenses/id/{id}', { at: `/expenses/id/${id}`, key: ours.key });

    it('Response: one Expense row, the same as in the list', async () => {
      const id = await given({ title: 'Read alone' });
      const [listed] = (await ours.list('sortBy=id&limit=1')).data;
      const { file, ...row } = await ours.read(id);
      expect(listed).toEqual({ ...row, file: { id: file.id, remoteUrl: expect.any(String) } });
    });

    it('an unknown id returns 200 with body null, and so does an id of another company (contract §4.2)', async () => {
      const theirs = await stranger.create({ ...LEAST_EXPENSE, ...(await stranger.references()) });
      await skipIds();
      const made = await ours.purchase({ ...LEAST_PURCHASE, vendorId: refers.vendorId });
      for (const id of [0, UNKNOWN_ID, '999999999999999', theirs.expenseId, made.purchaseId]) {
        const { status, text, headers } = await ask(id);
        expect({ id, status, text, type: headers['content-type'] }).toEqual({
          ...{ id, status: 200, text: 'null', type: 'application/json; charset=utf-8' },
        });
      }
    });

    it.each(['abc', '-1', '+1', '1.5', '1e3', '0x10', '%20', 'null', '99999999999999999999'])(
      'id: is a required number, and %s is refused',
      async (id) => expectError(await ask(id), invalid('id')),
    );
  });
});
