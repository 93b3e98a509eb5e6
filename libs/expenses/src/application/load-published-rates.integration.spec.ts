import { Clock } from '@counterfoil/kernel';
import {
  type OpenContext,
  openTestContext,
  startTestContext,
  type TestContext,
  until,
} from '@counterfoil/test-harness';
import { PublishedRatesModule } from '../published-rates.module';
import { BankOfIsraelStandIn, type Fault } from '../testing/bank-of-israel-stand-in';
import { holdRates, waitingForLocks } from '../testing/locked-rates';
import { LoadPublishedRates } from './load-published-rates';
import { PublishedRatesUnavailable } from './ports/published-rates';

/** Rates for each day: dollars, euros, pounds, yen and Lebanese pounds. */
const CURRENCIES = 5;
/** Days with rates from 19 November 2025 to 19 November 2026. */
const BUSINESS_DAYS = 262;
/** Rates saved in one transaction. */
const BATCH = 1_000;

class SetClock extends Clock {
  /** A Thursday, after the publication of the day's rates. */
  time = '2026-11-19T18:00:00+02:00';

  now(): Date {
    return new Date(this.time);
  }
}

let standIn: BankOfIsraelStandIn;
let clock: SetClock;
let context: TestContext;
const more: OpenContext[] = [];

beforeEach(async () => {
  standIn = await BankOfIsraelStandIn.start('2026-11-19');
  clock = new SetClock();
  const env = {
    EXCHANGE_RATES: 'bank-of-israel',
    EXCHANGE_RATES_URL: standIn.url,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  };
  context = await startTestContext(
    [PublishedRatesModule],
    (builder) => builder.overrideProvider(Clock).useValue(clock),
    env,
  );
});
afterEach(async () => {
  await Promise.all(more.splice(0).map((one) => one.close()));
  await context.close();
  await standIn.close();
});

const load = (signal?: AbortSignal) => context.get(LoadPublishedRates).execute(signal);
const asked = () => standIn.asked.map((query) => query.get('startperiod'));
const ratesOf = async (currency: string, from: string) =>
  (
    await context.database.query<{ text: string }>(
      `select date || ' ' || rate || ' /' || unit as text from exchange_rates
        where company_id is null and currency = $1 and date >= $2 order by date`,
      [currency, from],
    )
  ).map(({ text }) => text);
const count = async () => (await context.database.query('select from exchange_rates')).length;

it('ends at once when it is stopped while the bank does not answer', async () => {
  standIn.misbehave('hang');
  const stopping = new AbortController();
  const loading = load(stopping.signal);
  await until('the bank to be asked', () => asked().length > 0);
  stopping.abort();
  // Without the signal it would wait for a minute, which is longer than this test may take.
  await expect(loading).rejects.toBeInstanceOf(PublishedRatesUnavailable);
  expect(await count()).toBe(0);
});

it('saves a whole batch when it is stopped while saving, and loads the rest later', async () => {
  const stopping = new AbortController();
  const writer = holdRates(context.database);
  await writer.ready;
  const loading = load(stopping.signal);
  await until(
    'the first batch to wait for a writer of expenses',
    async () => (await waitingForLocks(context.database)) === 1,
  );
  stopping.abort();
  await writer.release();
  await loading;
  expect(await count()).toBe(BATCH);
  clock.time = '2026-11-19T18:11:00+02:00';
  await load();
  // The stopped poll did not count as the poll of the day, so all its days are read again.
  expect(asked()).toEqual(['2025-11-19', '2025-11-19']);
  expect(await count()).toBe(CURRENCIES * BUSINESS_DAYS);
});

it('loads the rates of the last year, with units and gaps', async () => {
  standIn.holidays.add('2026-11-17');
  await load();
  expect(asked()).toEqual(['2025-11-19']);
  expect(await ratesOf('USD', '2026-11-13')).toEqual([
    '2026-11-13 3.0730 /1',
    '2026-11-16 3.0730 /1',
    '2026-11-18 3.0730 /1',
    '2026-11-19 3.0730 /1',
  ]);
  expect(await ratesOf('JPY', '2026-11-19')).toEqual(['2026-11-19 1.9710 /100']);
  expect(await ratesOf('LBP', '2026-11-19')).toEqual(['2026-11-19 0.0003 /10']);
  expect(await ratesOf('CBK_L', '2025-01-01')).toEqual([]);
});

it('polls once a day, after the time of publication', async () => {
  await load();
  for (const time of [
    '2026-11-19T20:00:00+02:00',
    '2026-11-20T00:30:00+02:00',
    '2026-11-20T16:59:00+02:00',
  ]) {
    clock.time = time;
    await load();
  }
  expect(asked()).toHaveLength(1);
  clock.time = '2026-11-20T17:00:00+02:00';
  standIn.lastDay = '2026-11-20';
  await load();
  // The last week is read again, for rates that were revised or published late.
  expect(asked()).toEqual(['2025-11-19', '2026-11-12']);
  expect(await ratesOf('USD', '2026-11-20')).toEqual(['2026-11-20 3.0730 /1']);
});

it('polls from 17:00 on the day on which summer time begins, which has 23 hours', async () => {
  clock.time = '2026-03-26T18:00:00+02:00';
  await load();
  clock.time = '2026-03-27T16:59:00+03:00';
  await load();
  expect(asked()).toHaveLength(1);
  clock.time = '2026-03-27T17:00:00+03:00';
  await load();
  expect(asked()).toHaveLength(2);
});

it('loads revised and late rates', async () => {
  standIn.lastDay = '2026-11-18';
  await load();
  standIn.lastDay = '2026-11-20';
  standIn.revised.set('USD 2026-11-17', '3.0750');
  clock.time = '2026-11-20T18:00:00+02:00';
  await load();
  expect(await ratesOf('USD', '2026-11-17')).toEqual([
    '2026-11-17 3.0750 /1',
    '2026-11-18 3.0730 /1',
    '2026-11-19 3.0730 /1',
    '2026-11-20 3.0730 /1',
  ]);
});

it('loads the rates of missed days, for a year at most', async () => {
  await load();
  clock.time = '2027-02-01T18:00:00+02:00';
  await load();
  clock.time = '2029-02-01T18:00:00+02:00';
  standIn.lastDay = '2029-02-01';
  await load();
  expect(asked()).toEqual(['2025-11-19', '2026-11-12', '2028-02-02']);
});

const WRONG: readonly (readonly [string, Fault])[] = [
  ['is a failure', { status: 500 }],
  ['is a refusal', { status: 403 }],
  ['has no results', { status: 404 }],
  ['breaks off', 'lost'],
  ['is a page', 'html'],
  ['is cut', 'cut'],
  ['is empty', 'empty'],
  ['has no values', { without: 'OBS_VALUE' }],
  ['has no days', { without: 'TIME_PERIOD' }],
  ['has no units', { without: 'UNIT_MULT' }],
];

it.each(WRONG)('saves nothing if the response %s, and polls again', async (_, fault) => {
  standIn.misbehave(fault);
  await expect(load()).rejects.toThrow(PublishedRatesUnavailable);
  expect(await count()).toBe(0);
  // It does not start at once, because another worker may be polling.
  await load();
  expect(asked()).toHaveLength(1);
  clock.time = '2026-11-19T19:00:00+02:00';
  await load();
  expect(asked()).toEqual(['2025-11-19', '2025-11-19']);
  expect(await ratesOf('USD', '2026-11-19')).toHaveLength(1);
});

it.each([
  ['is implausible', 'USD', '2026-11-15', '307.3'],
  ['is of no currency', 'ZZZ', '2026-11-15', '3.5'],
  ['is nothing', 'EUR', '2026-11-15', '0'],
  ['is of no day', 'EUR', '2026-11-31', '3.5'],
])('leaves out a rate that %s, and saves the others', async (_, currency, day, rate) => {
  await load();
  const before = await count();
  clock.time = '2026-11-20T18:00:00+02:00';
  standIn.lastDay = '2026-11-20';
  standIn.misbehave({ also: standIn.line(currency, day, rate) });
  await load();
  expect(await count()).toBe(before + CURRENCIES);
  expect(await ratesOf('USD', '2026-11-20')).toHaveLength(1);
  const days = (await ratesOf(currency, '2026-11-14')).map((text) => text.slice(0, 10));
  expect(days).not.toContain('2026-11-15');
});

it('polls once with concurrent workers', async () => {
  for (let n = 0; n < 3; n++) {
    more.push(
      await openTestContext(context.config, [PublishedRatesModule], (builder) =>
        builder.overrideProvider(Clock).useValue(clock),
      ),
    );
  }
  await Promise.all(
    [context, ...more].flatMap((one) => [1, 2].map(() => one.get(LoadPublishedRates).execute())),
  );
  expect(asked()).toHaveLength(1);
  expect(await ratesOf('USD', '2026-11-19')).toHaveLength(1);
});

it('does not poll unless it is enabled', async () => {
  const off = {
    ...context.config,
    exchangeRates: { ...context.config.exchangeRates, source: 'off' as const },
  };
  more.push(await openTestContext(off, [PublishedRatesModule]));
  await more[0]!.get(LoadPublishedRates).execute();
  expect(asked()).toEqual([]);
});
