import { IdentityModule } from '@counterfoil/identity';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { ExchangeRates, type RateFilter } from '../../application/ports/exchange-rates';
import { ExchangeRatesModule } from '../../exchange-rates.module';
import { givenCaller } from '../../testing/given-expense';
import { givenRates, inTransaction } from '../../testing/given-rates';

let context: TestContext;
let companyId: number;
let otherCompanyId: number;

beforeAll(async () => {
  context = await startTestContext([IdentityModule, ExchangeRatesModule]);
  ({ companyId } = await givenCaller(context));
  ({ companyId: otherCompanyId } = await givenCaller(context));
});
afterAll(() => context.close());
afterEach(() => context.database.query('truncate exchange_rates, rate_arrivals'));

const rateOn = (company: number, currency: string, date: string) =>
  inTransaction(context, (tx, rates) => rates.rateOn(tx, company, currency, date));
const arrivals = () =>
  context.database.query(
    `select company_id::int as owner, currency, from_date::text as "from", to_date::text as "to"
       from rate_arrivals order by id`,
  );

describe('the applicable rate', () => {
  /** Rates as published in September 2026: none on Saturdays, Sundays and Yom Kippur (Monday the 21st). */
  const PUBLISHED = [
    'USD 2026-09-17 3.0210',
    'USD 2026-09-18 3.0190',
    'USD 2026-09-22 3.0170',
    'USD 2026-09-24 3.0470',
    'JPY 2026-09-18 1.9710 /100',
    'LBP 2026-09-18 0.0003 /10',
  ];

  beforeEach(() => givenRates(context, null, ...PUBLISHED));

  it.each([
    ['of the day itself', 'USD 2026-09-18', '2026-09-18 3.019 /1'],
    ['on a Saturday', 'USD 2026-09-19', '2026-09-18 3.019 /1'],
    ['on a Sunday', 'USD 2026-09-20', '2026-09-18 3.019 /1'],
    ['on a holiday after a weekend', 'USD 2026-09-21', '2026-09-18 3.019 /1'],
    ['on the day after the holiday', 'USD 2026-09-22', '2026-09-22 3.017 /1'],
    ['between two days', 'USD 2026-09-23', '2026-09-22 3.017 /1'],
    ['10 days after the last', 'USD 2026-10-04', '2026-09-24 3.047 /1'],
    ['of yen, by the hundred', 'JPY 2026-09-20', '2026-09-18 1.971 /100'],
    ['of Lebanese pounds, by ten', 'LBP 2026-09-28', '2026-09-18 0.0003 /10'],
  ])('%s, of %s, is %s', async (_, asked, expected) => {
    const [currency = '', day = ''] = asked.split(' ');
    const found = await rateOn(companyId, currency, day);
    expect(found && `${found.date} ${found.rate} /${found.unit}`).toBe(expected);
  });

  it.each([
    ['the day before the first', 'USD', '2026-09-16'],
    ['11 days after the last', 'USD', '2026-10-05'],
    ['11 days after the last of yen', 'JPY', '2026-09-29'],
    ['long ago', 'USD', '1970-01-01'],
    ['in the future', 'USD', '2027-09-18'],
    ['of a currency that has none', 'EUR', '2026-09-18'],
  ])('is none %s', async (_, currency, day) => {
    expect(await rateOn(companyId, currency, day)).toBeNull();
  });

  it('is the revised one after a revision', async () => {
    await givenRates(context, null, 'USD 2026-09-18 3.0195');
    expect(await rateOn(companyId, 'USD', '2026-09-20')).toMatchObject({ date: '2026-09-18', rate: 3.0195 });
  });

  it("is the company's own rate of the same day, and of no other day or company", async () => {
    await givenRates(context, companyId, 'USD 2026-09-18 2.9000', 'JPY 2026-09-18 0.0190');
    const own = { date: '2026-09-18', rate: 2.9, unit: 1 };
    for (const day of ['2026-09-18', '2026-09-19', '2026-09-21'])
      expect(await rateOn(companyId, 'USD', day)).toEqual(own);
    // The later rate is the last one on or before the day.
    expect(await rateOn(companyId, 'USD', '2026-09-22')).toMatchObject({ rate: 3.017 });
    expect(await rateOn(companyId, 'USD', '2026-09-17')).toMatchObject({ rate: 3.021 });
    expect(await rateOn(otherCompanyId, 'USD', '2026-09-19')).toMatchObject({ rate: 3.019 });
    expect(await rateOn(companyId, 'JPY', '2026-09-19')).toEqual({
      date: '2026-09-18',
      rate: 0.019,
      unit: 1,
    });
  });

  it("is the company's own if none is published", async () => {
    await givenRates(context, companyId, 'THB 2026-09-18 0.0950');
    expect(await rateOn(companyId, 'THB', '2026-09-20')).toMatchObject({ rate: 0.095 });
    expect(await rateOn(otherCompanyId, 'THB', '2026-09-20')).toBeNull();
  });

  it('is found across the ends of months and years', async () => {
    await givenRates(context, null, 'USD 2023-12-29 3.6270', 'USD 2024-02-28 3.6000');
    expect(await rateOn(companyId, 'USD', '2024-01-01')).toMatchObject({ date: '2023-12-29' });
    expect(await rateOn(companyId, 'USD', '2024-03-09')).toMatchObject({ date: '2024-02-28' });
    expect(await rateOn(companyId, 'USD', '2024-03-10')).toBeNull();
  });
});

describe('saving rates', () => {
  it('reports new and revised rates, and does not write unchanged ones', async () => {
    const first = await givenRates(context, null, 'USD 2026-09-17 3.0210', 'JPY 2026-09-17 1.9700 /100');
    expect(first).toMatchObject({ added: 2, revised: 0 });
    const before = await context.database.query('select * from exchange_rates order by id');
    const again = await givenRates(context, null, 'USD 2026-09-17 3.0210', 'JPY 2026-09-17 1.9700 /100');
    expect(again).toEqual({ added: 0, revised: 0, arrivalIds: [] });
    expect(await context.database.query('select * from exchange_rates order by id')).toEqual(before);
    const revised = await givenRates(context, null, 'USD 2026-09-17 3.0220', 'JPY 2026-09-17 1.9700 /10');
    expect(revised).toEqual({ added: 0, revised: 2, arrivalIds: [] });
    const mixed = await givenRates(context, null, 'USD 2026-09-17 3.0210', 'USD 2026-09-18 3.0190');
    expect(mixed).toMatchObject({ added: 1, revised: 1 });
    // A company's own rate is independent of the published one.
    expect(await givenRates(context, companyId, 'USD 2026-09-17 3.0210')).toMatchObject({ added: 1 });
  });

  it('stores the time of a revision', async () => {
    await givenRates(context, null, 'USD 2026-09-17 3.0210');
    await givenRates(context, null, 'USD 2026-09-17 3.0220');
    const [rate] = (await context.get(ExchangeRates).list(companyId, {}, { limit: 1, offset: 0 })).data;
    expect(rate!.updatedAt.getTime()).toBeGreaterThan(rate!.createdAt.getTime());
  });

  it('queues the days of new rates by currency, and extends waiting entries', async () => {
    await givenRates(context, null, 'USD 2026-09-17 3.0210', 'USD 2026-09-22 3.0170', 'EUR 2026-09-18 3.5');
    await givenRates(context, null, 'USD 2026-09-10 3.0210', 'USD 2026-09-17 3.5');
    await givenRates(context, companyId, 'USD 2026-09-24 3.0470');
    expect(await arrivals()).toEqual([
      { owner: null, currency: 'EUR', from: '2026-09-18', to: '2026-09-18' },
      { owner: null, currency: 'USD', from: '2026-09-10', to: '2026-09-22' },
      { owner: companyId, currency: 'USD', from: '2026-09-24', to: '2026-09-24' },
    ]);
  });

  it('does not extend an entry that is locked or has started', async () => {
    await givenRates(context, null, 'USD 2026-09-17 3.0210');
    const held = context.database.hold('select from rate_arrivals for update');
    await held.ready;
    await givenRates(context, null, 'USD 2026-09-18 3.0190');
    await held.release();
    await context.database.query(`update rate_arrivals set done_date = '2026-09-18'`);
    await givenRates(context, null, 'USD 2026-09-22 3.0170');
    expect(await arrivals()).toMatchObject([
      { from: '2026-09-17', to: '2026-09-17' },
      { from: '2026-09-18', to: '2026-09-18' },
      { from: '2026-09-22', to: '2026-09-22' },
    ]);
  });

  const waiting = async () => {
    const [row] = await context.database.query<{ count: string }>(
      `select count(*) from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return Number(row!.count);
  };

  /** Opens a transaction that converts an amount and stays open. */
  const converting = async (company: number) => {
    let finish = () => {};
    let begin = () => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const enough = new Promise<void>((resolve) => (finish = resolve));
    const found = inTransaction(context, async (tx, rates) => {
      await rates.lock(tx, company);
      begin();
      await enough;
      return rates.rateOn(tx, company, 'USD', '2026-09-17');
    });
    await begun;
    return { found, finish };
  };

  it.each(['published', 'own'])('waits for concurrent conversions, with %s ones', async (whose) => {
    const { found, finish } = await converting(companyId);
    const owner = whose === 'own' ? companyId : null;
    const saving = givenRates(context, owner, 'USD 2026-09-17 3.0210');
    await until('the rates wait', async () => (await waiting()) === 1);
    finish();
    expect(await found).toBeNull();
    expect(await saving).toMatchObject({ added: 1 });
    expect(await rateOn(companyId, 'USD', '2026-09-17')).not.toBeNull();
  });

  it('does not delay writers of other companies or other conversions', async () => {
    const [one, another] = [await converting(companyId), await converting(companyId)];
    await givenRates(context, otherCompanyId, 'USD 2026-09-17 3.0210');
    expect(await arrivals()).toHaveLength(1);
    one.finish();
    another.finish();
    expect(await Promise.all([one.found, another.found])).toEqual([null, null]);
  });

  it('concurrently saves each rate once, in any order', async () => {
    const days = Array.from({ length: 20 }, (_, at) => `USD 2026-09-${String(at + 1).padStart(2, '0')} 3.5`);
    const orders = [days, days.toReversed(), days.slice(10), days.slice(0, 15).toReversed()];
    const saved = await Promise.all(orders.map((texts) => givenRates(context, null, ...texts)));
    expect(saved.reduce((sum, { added }) => sum + added, 0)).toBe(20);
    expect(saved.every(({ revised }) => revised === 0)).toBe(true);
  });
});

describe('the list of rates', () => {
  const list = async (company: number, filter: RateFilter = {}, page = { limit: 50, offset: 0 }) => {
    const { data, pagination } = await context.get(ExchangeRates).list(company, filter, page);
    const rows = data.map(({ currency, date, source }) => `${date} ${currency} ${source}`);
    return { rows, total: pagination.total, hasMore: pagination.hasMore };
  };

  beforeEach(async () => {
    await givenRates(context, null, 'USD 2026-09-17 3.02', 'USD 2026-09-18 3.01', 'EUR 2026-09-18 3.5');
    await givenRates(context, companyId, 'USD 2026-09-18 2.9', 'THB 2026-09-19 0.0950');
    await givenRates(context, otherCompanyId, 'USD 2026-09-20 1', 'USD 2026-09-18 2.8');
  });

  it('shows own and published rates, latest first, then by currency, then by id', async () => {
    const rows = [
      '2026-09-19 THB company',
      '2026-09-18 EUR published',
      '2026-09-18 USD published',
      '2026-09-18 USD company',
      '2026-09-17 USD published',
    ];
    expect(await list(companyId)).toEqual({ rows, total: 5, hasMore: false });
    for (let offset = 0; offset < 5; offset++)
      expect((await list(companyId, {}, { limit: 1, offset })).rows).toEqual([rows[offset]]);
    expect(await list(companyId, {}, { limit: 2, offset: 9 })).toEqual({
      rows: [],
      total: 5,
      hasMore: false,
    });
    expect((await list(otherCompanyId)).rows[0]).toBe('2026-09-20 USD company');
    expect(await list(999_999)).toMatchObject({ total: 3 });
  });

  it.each([
    [{ currency: 'USD' }, 3],
    [{ currency: 'EUR' }, 1],
    [{ currency: 'GBP' }, 0],
    [{ startDate: '2026-09-18' }, 4],
    [{ endDate: '2026-09-18' }, 4],
    [{ startDate: '2026-09-18', endDate: '2026-09-18' }, 3],
    [{ currency: 'USD', startDate: '2026-09-18', endDate: '2026-09-18' }, 2],
    [{ startDate: '2026-09-19', endDate: '2026-09-18' }, 0],
  ])('of %j has %i', async (filter, total) => {
    const found = await list(companyId, filter);
    expect({ total: found.total, rows: found.rows.length }).toEqual({ total, rows: total });
  });
});
