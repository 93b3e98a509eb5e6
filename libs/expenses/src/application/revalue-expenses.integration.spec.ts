import { FAULT_POINTS, FaultPoints } from '@counterfoil/config';
import { FilesModule } from '@counterfoil/files';
import { IdentityModule } from '@counterfoil/identity';
import type { Caller } from '@counterfoil/kernel';
import { PartiesModule } from '@counterfoil/parties';
import {
  type OpenContext,
  openTestContext,
  planOf,
  startTestContext,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import { inShekels } from '../domain/exchange-rate';
import type { ExpenseDetails } from '../domain/expense';
import { CONVERT } from '../adapters/postgres/expense-revaluation.sql';
import { ExpensesModule } from '../expenses.module';
import { anExpense, givenCaller, givenFile, givenVendor } from '../testing/given-expense';
import { givenRates, ratesOf } from '../testing/given-rates';
import { holdRates, waitingForLocks } from '../testing/locked-rates';
import { CreateExpense } from './create-expense';
import { EditExpense } from './edit-expense';
import { ImportPublishedRates } from './import-published-rates';
import { RevalueExpenses } from './revalue-expenses';
import { SaveExchangeRates } from './save-exchange-rates';

const MODULES = [IdentityModule, FilesModule, PartiesModule, ExpensesModule];

interface Books {
  readonly caller: Caller;
  readonly entityId: number;
  readonly fileId: number;
}

interface Converted {
  readonly inIls: number | null;
  readonly rate: number | null;
  readonly unit: number | null;
  readonly of: string | null;
}

let context: TestContext;
let ours: Books;
let theirs: Books;

async function givenBooks(): Promise<Books> {
  const caller = await givenCaller(context);
  return {
    caller,
    entityId: await givenVendor(context, caller),
    fileId: await givenFile(context, caller, `${caller.companyId}`),
  };
}

beforeAll(async () => {
  context = await startTestContext(MODULES);
  [ours, theirs] = [await givenBooks(), await givenBooks()];
});
afterAll(() => context.close());
afterEach(async () => {
  for (const table of ['exchange_rates', 'rate_arrivals', 'expenses', 'outbox_events'])
    await context.database.query(`delete from ${table}`);
});

const publish = (...texts: string[]) => context.get(ImportPublishedRates).execute(ratesOf(...texts));
const save = (by: Caller, ...texts: string[]) =>
  context.get(SaveExchangeRates).execute(by, ratesOf(...texts));

const spend = async (by: Books, other: Partial<ExpenseDetails>): Promise<number> => {
  const details = { ...anExpense(by), total: 100, tax: 0, deductableTax: 0, currency: 'USD', ...other };
  return (await context.get(CreateExpense).execute(by.caller, details)).id;
};

const converted = async (id: number): Promise<Converted> => {
  const [row] = await context.database.query<Record<keyof Converted, string | null>>(
    `select total_in_ils as "inIls", exchange_rate as rate, exchange_rate_unit as unit,
            exchange_rate_date::text as of from expenses where id = $1`,
    [id],
  );
  const { inIls, rate, unit, of } = row!;
  const number = (text: string | null) => (text === null ? null : Number(text));
  return { inIls: number(inIls), rate: number(rate), unit: number(unit), of };
};

const NONE: Converted = { inIls: null, rate: null, unit: null, of: null };

const updates = async (): Promise<{ id: number; totalInILS: number }[]> => {
  const events = await context.database.query<{ body: string }>(
    `select body from outbox_events where type = 'expense.updated' order by sequence`,
  );
  return events.map(({ body }) => JSON.parse(body).data.expense);
};

const arrivalsLeft = async () => (await context.database.query('select from rate_arrivals')).length;

describe('a new rate', () => {
  it('converts the expenses that it applies to, and reports each', async () => {
    const [dated, later, tooLate, earlier, euros, shekels] = [
      await spend(ours, { date: '2026-09-18' }),
      await spend(theirs, { date: '2026-09-28', total: 0.5 }),
      await spend(ours, { date: '2026-09-29' }),
      await spend(ours, { date: '2026-09-17' }),
      await spend(ours, { date: '2026-09-18', currency: 'EUR' }),
      await spend(ours, { date: '2026-09-18', currency: 'ILS' }),
    ];
    const untouched = await Promise.all([tooLate, earlier, euros].map(converted));
    expect(untouched).toEqual([NONE, NONE, NONE]);
    expect(await publish('USD 2026-09-18 3.0190')).toEqual({ added: 1, revised: 0 });
    expect(await converted(dated)).toEqual({ inIls: 301.9, rate: 3.019, unit: 1, of: '2026-09-18' });
    expect(await converted(later)).toEqual({ inIls: 1.51, rate: 3.019, unit: 1, of: '2026-09-18' });
    expect(await Promise.all([tooLate, earlier, euros].map(converted))).toEqual(untouched);
    expect(await converted(shekels)).toEqual({ ...NONE, inIls: 100 });
    expect(await updates()).toMatchObject([
      { id: dated, totalInILS: 301.9, currency: 'USD', exchangeRateDate: '2026-09-18' },
      { id: later, totalInILS: 1.51 },
    ]);
    expect(await arrivalsLeft()).toBe(0);
  });

  it('may be for 100 yen, or 10 Lebanese pounds', async () => {
    const yen = await spend(ours, { date: '2026-09-20', currency: 'JPY', total: 12_345 });
    const pounds = await spend(ours, { date: '2026-09-20', currency: 'LBP', total: 1_000_000 });
    await publish('JPY 2026-09-18 1.9710 /100', 'LBP 2026-09-18 0.0003 /10');
    expect(await converted(yen)).toEqual({ inIls: 243.32, rate: 1.971, unit: 100, of: '2026-09-18' });
    expect(await converted(pounds)).toEqual({ inIls: 30, rate: 0.0003, unit: 10, of: '2026-09-18' });
  });

  it('of a later day replaces an earlier one that was used instead', async () => {
    await publish('USD 2026-09-17 3.0210');
    const saturday = await spend(ours, { date: '2026-09-19' });
    const thursday = await spend(ours, { date: '2026-09-17' });
    expect(await converted(saturday)).toMatchObject({ inIls: 302.1, of: '2026-09-17' });
    await publish('USD 2026-09-18 3.0190', 'USD 2026-09-16 1', 'USD 2026-09-20 1');
    expect(await converted(saturday)).toMatchObject({ inIls: 301.9, of: '2026-09-18' });
    expect(await converted(thursday)).toMatchObject({ inIls: 302.1, of: '2026-09-17' });
    expect((await updates()).map(({ id }) => id)).toEqual([saturday]);
  });

  it('changes no converted expenses if it is revised, or is of a day with a published rate', async () => {
    await publish('USD 2026-09-18 3.0190');
    const id = await spend(ours, { date: '2026-09-18' });
    const before = await converted(id);
    await publish('USD 2026-09-18 9');
    await save(ours.caller, 'USD 2026-09-18 8');
    expect(await converted(id)).toEqual(before);
    expect(await updates()).toEqual([]);
    expect(await arrivalsLeft()).toBe(0);
    // An expense that is converted again for another reason uses the applicable rate.
    await context.get(EditExpense).execute(ours.caller, id, { title: 'Another' });
    expect(await converted(id)).toEqual(before);
    await context.get(EditExpense).execute(ours.caller, id, { total: 50 });
    expect(await converted(id)).toEqual({ inIls: 400, rate: 8, unit: 1, of: '2026-09-18' });
  });

  it("converts only the company's own expenses if it is the company's own", async () => {
    const [mine, other] = [
      await spend(ours, { date: '2026-09-18' }),
      await spend(theirs, { date: '2026-09-18' }),
    ];
    const saved = await save(ours.caller, 'USD 2026-09-17 2.5');
    expect(saved).toMatchObject({ added: 1, revised: 0 });
    expect(await converted(mine)).toEqual({ inIls: 250, rate: 2.5, unit: 1, of: '2026-09-17' });
    expect(await converted(other)).toEqual(NONE);
    await publish('USD 2026-09-17 3');
    expect(await converted(mine)).toMatchObject({ inIls: 250 });
    expect(await converted(other)).toMatchObject({ inIls: 300 });
  });

  it('is reported later than all previous events, whatever the clocks of the processes', async () => {
    const id = await spend(ours, { date: '2026-03-02' });
    const ahead = await context.database.query<{ at: Date }>(
      `update expenses set updated_at = now() + interval '1 hour' where id = $1 returning updated_at as at`,
      [id],
    );
    await publish('USD 2026-03-02 3.5');
    const [told] = await context.database.query<{ at: string }>(
      `select body::json #>> '{data,expense,updatedAt}' as at from outbox_events where type = 'expense.updated'`,
    );
    expect(Date.parse(told!.at)).toBeGreaterThan(ahead[0]!.at.getTime());
  });

  it('with locked expenses does not delay later ones', async () => {
    const [held, free] = [
      await spend(ours, { date: '2026-03-02' }),
      await spend(ours, { date: '2026-03-02', currency: 'EUR' }),
    ];
    const holder = context.database.hold(`select from expenses where id = ${held} for update`);
    await holder.ready;
    for (const [currency, rate] of [
      ['USD', 3.5],
      ['EUR', 4],
    ] as const) {
      await context.database.query(
        `with saved as (
           insert into exchange_rates (company_id, currency, date, rate, created_at, updated_at)
           values (null, $1, '2026-03-02', $2, now(), now()))
         insert into rate_arrivals (company_id, currency, from_date, to_date, created_at)
         values (null, $1, '2026-03-02', '2026-03-02', now())`,
        [currency, rate],
      );
    }
    const working = context.get(RevalueExpenses).execute(new AbortController().signal);
    await expect(working).rejects.toMatchObject({ code: '55P03' });
    expect(await converted(free)).toMatchObject({ inIls: 400 });
    expect(await converted(held)).toMatchObject({ inIls: null });
    await holder.release();
    await context.get(RevalueExpenses).execute(new AbortController().signal);
    expect(await converted(held)).toMatchObject({ inIls: 350 });
  });

  it('waits for writers of expenses, without delaying others', async () => {
    const stuck = holdRates(context.database);
    await stuck.ready;
    let saved = false;
    const publishing = publish('USD 2026-03-02 3.5').then(() => (saved = true));
    const tookMs: number[] = [];
    for (let count = 0; count < 20; count++) {
      const begun = performance.now();
      await spend(theirs, { date: '2026-03-02' });
      tookMs.push(performance.now() - begun);
    }
    expect(saved).toBe(false);
    // Waiting behind a caller that has disconnected would take seconds for each.
    expect(Math.max(...tookMs)).toBeLessThan(2_000);
    await stuck.release();
    await publishing;
    const left = await context.database.query('select 1 from expenses where total_in_ils is null');
    expect(left).toEqual([]);
  });

  it('leaves the amount empty if it exceeds the maximum, and does not try again', async () => {
    const id = await spend(ours, { date: '2026-09-18', total: 999_999_999_999.99 });
    await publish('USD 2026-09-18 3.0190');
    const none = { inIls: null, rate: 3.019, unit: 1, of: '2026-09-18' };
    expect(await converted(id)).toEqual(none);
    await publish('USD 2026-09-17 1');
    expect(await updates()).toHaveLength(1);
    const another = await spend(ours, { date: '2026-09-18', total: 999_999_999_999.99 });
    expect(await converted(another)).toEqual(none);
  });

  it('has the same result as for an expense recorded afterwards', async () => {
    const rates = ['USD 2026-09-18 3.0195', 'JPY 2026-09-18 1.9713 /100', 'LBP 2026-09-18 0.0003 /10'];
    const totals = [0.01, 0.5, 1.05, 33.33, 1_234_567.89, 8_000_000_000.07];
    const asked = totals.flatMap((total) =>
      ratesOf(...rates).map(({ currency, date, rate, unit }) => ({ total, currency, date, rate, unit })),
    );
    const early: number[] = [];
    for (const { total, currency, date } of asked) early.push(await spend(ours, { total, currency, date }));
    await publish(...rates);
    for (const [at, { total, currency, date, rate, unit }] of asked.entries()) {
      const late = await spend(ours, { total, currency, date });
      const expected = inShekels(total, { rate, unit: unit });
      expect(await converted(early[at]!)).toMatchObject({ inIls: expected });
      expect(await converted(late)).toMatchObject({ inIls: expected });
    }
  });
});

describe('with many expenses', () => {
  const MANY = 2_600;

  /**
   * The number of expenses of each of the two companies, dated from the 1st to the 28th, without any rate.
   */
  const givenMany = async () => {
    for (const { caller, entityId, fileId } of [ours, theirs]) {
      await context.database.query(
        `insert into expenses (company_id, user_id, entity_id, file_id, date, currency, total, tax, deductable_tax,
           is_equipment, created_at, updated_at)
         select $1, $2, $3, $4, date '2026-09-01' + n % 28, 'USD', n, 0, 0, false, now(), now()
           from generate_series(1, ${MANY}) n`,
        [caller.companyId, caller.userId, entityId, fileId],
      );
    }
  };
  beforeEach(givenMany);

  const unconverted = async () =>
    (
      await context.database.query<{ company: number }>(
        `select company_id::int as company from expenses where total_in_ils is distinct from total * 3`,
      )
    ).map(({ company }) => company);

  it('converts each once with concurrent workers', async () => {
    await givenRates(context, null, 'USD 2026-08-31 3', 'USD 2026-09-10 3', 'USD 2026-09-20 3');
    const others = await Promise.all([1, 2, 3].map(() => openTestContext(context.config, MODULES)));
    const { signal } = new AbortController();
    await Promise.all([context, ...others].map((one) => one.get(RevalueExpenses).execute(signal)));
    // Each call ends when no unclaimed work is left.
    await until('all is done', async () => (await arrivalsLeft()) === 0);
    expect(await unconverted()).toEqual([]);
    const told = (await updates()).map(({ id }) => id);
    expect(told).toHaveLength(2 * MANY);
    expect(new Set(told).size).toBe(2 * MANY);
    await Promise.all(others.map((one) => one.close()));
  }, 120_000);

  it('reads only those that it converts, even if the statistics describe an empty table', async () => {
    const { database } = context;
    await database.query('delete from expenses');
    await database.query('vacuum (truncate off, analyze) expenses');
    await givenMany();
    await givenRates(context, null, 'USD 2026-08-31 3', 'USD 2026-09-10 3', 'USD 2026-09-20 3');
    const due = await database.query<{ id: number }>('select id::int from expenses order by date limit 500');
    const nodes = await planOf(database, CONVERT, { ids: due.map(({ id }) => id), now: new Date() });
    const read = nodes
      .filter((node) => node['Node Type'].includes('Scan') && node['Relation Name'] === 'expenses')
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    expect(read).toEqual([500]);
  });

  it('leaves the rest to the worker after its time limit', async () => {
    const { arrivalIds } = await givenRates(context, ours.caller.companyId, 'USD 2026-09-01 3');
    const revalue = context.get(RevalueExpenses);
    await revalue.follow(arrivalIds, 0);
    expect(await updates()).toEqual([]);
    await revalue.follow(arrivalIds, 1);
    expect((await updates()).length).toBe(500);
    expect(await arrivalsLeft()).toBe(1);
    await revalue.execute(new AbortController().signal);
    expect(await arrivalsLeft()).toBe(0);
    // The days up to the 11th are converted, but none of the other company.
    const [due] = await context.database.query<{ count: string }>(
      `select count(*) from expenses where company_id = $1 and date <= '2026-09-11'`,
      [ours.caller.companyId],
    );
    expect((await updates()).length).toBe(Number(due!.count));
  });

  it('waits for another worker that processes the entry to follow', async () => {
    const { arrivalIds } = await givenRates(context, null, 'USD 2026-09-01 3');
    const held = context.database.hold('select from rate_arrivals for update');
    await held.ready;
    // The next run of the sweep continues.
    await context.get(RevalueExpenses).execute(new AbortController().signal);
    expect(await updates()).toEqual([]);
    const following = context.get(RevalueExpenses).follow(arrivalIds, 60_000);
    await held.release();
    await following;
    expect(await arrivalsLeft()).toBe(0);
  });

  it('does nothing if it was stopped before', async () => {
    const { arrivalIds } = await givenRates(context, null, 'USD 2026-09-01 3');
    await context.get(RevalueExpenses).execute(AbortSignal.abort());
    await context.get(RevalueExpenses).follow(arrivalIds, Infinity, AbortSignal.abort());
    expect(await updates()).toEqual([]);
  });

  /** Stopped during the first batch, before its commit, or between it and the second one. */
  describe.each(FAULT_POINTS.revaluation)('stopped at %s', (last) => {
    it.each(['execute', 'follow'] as const)(
      'completes the batch under way and starts no other: %s',
      async (how) => {
        const { arrivalIds } = await givenRates(context, null, 'USD 2026-09-01 3');
        const stopping = new AbortController();
        const points: string[] = [];
        const reach: FaultPoints['reach'] = (point) => {
          points.push(point);
          if (point === last) stopping.abort();
        };
        const other = await openTestContext(context.config, MODULES, (builder) =>
          builder.overrideProvider(FaultPoints).useValue({ reach }),
        );
        const revalue = other.get(RevalueExpenses);
        await (how === 'execute'
          ? revalue.execute(stopping.signal)
          : revalue.follow(arrivalIds, Infinity, stopping.signal));
        await other.close();
        expect(points).toEqual(FAULT_POINTS.revaluation);
        expect(await updates()).toHaveLength(500);
        expect((await unconverted()).length).toBe(2 * MANY - 500);
        expect(await arrivalsLeft()).toBe(1);
        // The progress was stored with the batch, so nothing is converted twice.
        await context.get(RevalueExpenses).execute(new AbortController().signal);
        const told = (await updates()).map(({ id }) => id);
        expect(new Set(told).size).toBe(told.length);
        expect(await arrivalsLeft()).toBe(0);
      },
    );
  });

  /**
   * An error at the fault point instead of the end of the process: uncommitted changes are lost, and the next
   * run continues from the committed ones.
   */
  it.each(FAULT_POINTS.revaluation)('continues after an interruption at %s', async (fatal) => {
    await givenRates(context, null, 'USD 2026-08-31 3', 'USD 2026-09-10 3', 'USD 2026-09-20 3');
    const breaking: FaultPoints = {
      reach: (point) => {
        if (point === fatal) throw new Error('broken off');
      },
    };
    const other: OpenContext = await openTestContext(context.config, MODULES, (builder) =>
      builder.overrideProvider(FaultPoints).useValue(breaking),
    );
    const { signal } = new AbortController();
    await expect(other.get(RevalueExpenses).execute(signal)).rejects.toThrow('broken off');
    await other.close();
    expect((await updates()).length).toBe(fatal === 'revaluation.converted' ? 0 : 500);
    await context.get(RevalueExpenses).execute(signal);
    expect(await unconverted()).toEqual([]);
    expect((await updates()).length).toBe(2 * MANY);
  });
});

describe('expenses that are written while rates are saved', () => {
  const DAYS = Array.from({ length: 12 }, (_, at) => `2026-09-${String(at + 1).padStart(2, '0')}`);

  it.each(['published', 'own'])('without a rate are found by the %s one', async (whose) => {
    const { companyId } = ours.caller;
    // By the time that this transaction is open, the expense has been converted.
    const held = context.database.hold(
      `select pg_advisory_xact_lock(hashtextextended('costs', ${companyId}))`,
    );
    await held.ready;
    const spending = spend(ours, { date: '2026-09-18' });
    await until('the expense is nearly written', async () => (await waitingForLocks(context.database)) === 1);
    const text = 'USD 2026-09-18 3';
    const arriving = whose === 'own' ? save(ours.caller, text) : publish(text);
    await until('the rate waits for it', async () => (await waitingForLocks(context.database)) === 2);
    await held.release();
    await arriving;
    expect(await converted(await spending)).toMatchObject({ inIls: 300, of: '2026-09-18' });
  });

  it('never stay without the rate', async () => {
    const other = await openTestContext(context.config, MODULES);
    const written: Promise<number>[] = [];
    const saving: Promise<unknown>[] = [];
    for (const [at, date] of DAYS.entries()) {
      for (let n = 0; n < 10; n++) {
        written.push(spend(n % 2 ? ours : theirs, { date, currency: at % 2 ? 'USD' : 'EUR' }));
      }
      const text = `${at % 2 ? 'USD' : 'EUR'} ${date} 3`;
      saving.push(
        at % 3 === 0
          ? Promise.all([ours, theirs].map(({ caller }) => save(caller, text)))
          : other.get(ImportPublishedRates).execute(ratesOf(text)),
      );
      // While rates are written, edits move some expenses to another day.
      written.push(
        (async () => {
          const id = await spend(ours, { date: '2026-10-20' });
          await context.get(EditExpense).execute(ours.caller, id, { date, currency: at % 2 ? 'USD' : 'EUR' });
          return id;
        })(),
      );
    }
    const ids = await Promise.all(written);
    await Promise.all(saving);
    await context.get(RevalueExpenses).execute(new AbortController().signal);
    await until('all is done', async () => (await arrivalsLeft()) === 0);
    await other.close();
    const wrong = await context.database.query(
      `select e.id, e.date::text, e.currency, e.exchange_rate_date::text, e.total_in_ils from expenses e
        where e.total_in_ils is distinct from 300 or e.exchange_rate_date is distinct from e.date`,
    );
    expect(wrong).toEqual([]);
    expect(ids.length).toBe(DAYS.length * 11);
  }, 60_000);
});
