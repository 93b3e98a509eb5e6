import { queueStores, startProcesses, until } from '@counterfoil/test-harness';
import type { CostsClient } from './costs-client';
import { type Body, type Json, LEAST_EXPENSE, LEAST_PURCHASE, type Refers } from './costs-client';
import { expectError } from './error-body';
import { invalid } from './expected-errors';
import { MOST, ours, serveExpenses, stranger, totalOf, ZONES } from './expense-calls';

describe.each(ZONES)('in the time zone %s', (zone) => {
  serveExpenses(zone, (env) => startProcesses(queueStores()[0]!, env));

  describe('totalInILS (contract §11.8)', () => {
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
    ])('uses the rate of its own date, not of today: %s', async (date, total, rate, rateDate) => {
      expect(await inShekels(await made({ date, currency: 'USD' }))).toEqual([total, rate, rateDate]);
    });

    it('equals the total for ILS, and is null without a rate', async () => {
      for (const total of [0.01, 0.3, 118, MOST]) {
        expect(await inShekels(await made({ total }))).toEqual([total, null, null]);
      }
      expect(await inShekels(await made({ currency: 'EUR' }))).toEqual(NONE);
    });

    it('is rounded once, half away from zero, without floating-point errors', async () => {
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
        // The exact result is 100,010,350.134999999.
        ['KRW', 100_000_350_099.99, 100_010_350.13, 0.0010001],
      ];
      for (const [currency, total, expected, perUnit] of cases) {
        const date = currency === 'USD' ? '2025-01-10' : '2025-01-12';
        expect({ currency, total, is: await inShekels(await made({ currency, total })) }).toEqual({
          ...{ currency, total, is: [expected, perUnit, date] },
        });
      }
    });

    it('is null if it exceeds the maximum amount', async () => {
      expect(await inShekels(await made({ currency: 'USD', total: MOST }))).toEqual([
        ...[null, 3.6001, '2025-01-10'],
      ]);
    });

    it('is computed again if the date, the currency or the total changes', async () => {
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

    it('is not changed by other edits, even if the rate was revised', async () => {
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

    it('is set when a missing rate is saved by PUT /exchange-rates', async () => {
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
      // A closer day takes precedence. Rates of other companies never apply.
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

    it('is set whatever the order in which a rate and its expenses are saved concurrently', async () => {
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
    ])('is computed for supplier invoices in the same way, with include=all: %j', async (more, expected) => {
      expect(await ofInvoice(more)).toEqual(expected);
    });
  });

  describe('likely duplicates of an expense', () => {
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
    ])('are found by vendor and the document numbers %j and %j', async (one, other) => {
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
    ])('are not found by vendor and the document numbers %j and %j', async (one, other) => {
      const { vendorId } = await ours.references();
      await ours.create(await body({ vendorId, documentNumber: one }));
      const second = await ours.create(await body({ vendorId, documentNumber: other }));
      expect(second).toEqual({ success: true, expenseId: second.expenseId });
    });

    it('are not found for the same document number of another vendor', async () => {
      await ours.create(await body({ documentNumber: 'Same' }));
      expect(await ours.create(await body({ documentNumber: 'Same' }))).not.toHaveProperty(
        'possibleDuplicateOf',
      );
    });

    it('are found by the same file, or another file with the same bytes', async () => {
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

    it('are named once if both are equal, oldest first, at most 20', async () => {
      const same = await body({ documentNumber: 'Both' });
      const ids: number[] = [];
      for (let n = 0; n < 22; n++) {
        const { expenseId, possibleDuplicateOf } = await ours.create(same);
        expect(possibleDuplicateOf).toEqual(ids.length > 0 ? ids.slice(0, 20) : undefined);
        ids.push(expenseId);
      }
    });

    it('are named on edit if the edit makes it one; deleted expenses are not named', async () => {
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

    it('are never expenses of another company', async () => {
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

    it('that are recorded concurrently: at least one names the other', async () => {
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

    it('are not named in a refusal, and not recorded by it', async () => {
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
