import { FilesModule } from '@counterfoil/files';
import { IdentityModule } from '@counterfoil/identity';
import { PartiesModule } from '@counterfoil/parties';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import { daysBefore, type DayRate } from '../domain/exchange-rate';
import { ExpensesModule } from '../expenses.module';
import { anExpense, givenCaller, givenFile, givenVendor } from '../testing/given-expense';
import { holdRates, waitingForLocks } from '../testing/locked-rates';
import { CreateExpense } from './create-expense';
import { ImportPublishedRates } from './import-published-rates';
import { RevalueExpenses } from './revalue-expenses';

const BATCH = 1_000;
const LAST_DAY = '2026-09-18';
/** Rates of dollars, from the last day backwards: two and a half batches. */
const RATES: readonly DayRate[] = Array.from({ length: 2.5 * BATCH }, (_, index) => ({
  currency: 'USD',
  date: daysBefore(LAST_DAY, index),
  rate: 3,
  unit: 1,
}));

let context: TestContext;

beforeEach(async () => {
  context = await startTestContext([IdentityModule, FilesModule, PartiesModule, ExpensesModule]);
});
afterEach(() => context.close());

const load = (rates: Iterable<DayRate> | AsyncIterable<DayRate>, signal?: AbortSignal) =>
  context.get(ImportPublishedRates).execute(rates, signal);
const days = async () =>
  (
    await context.database.query<{ date: string }>(
      'select date::text from exchange_rates where company_id is null order by date desc',
    )
  ).map(({ date }) => date);
const daysOf = (rates: readonly DayRate[]) => rates.map(({ date }) => date);

/** Records an expense of the last day, to which the first rate applies. */
async function spend(): Promise<void> {
  const caller = await givenCaller(context);
  const entityId = await givenVendor(context, caller);
  const fileId = await givenFile(context, caller, 'receipt');
  const spent = { total: 100, tax: 0, deductableTax: 0, currency: 'USD', date: LAST_DAY };
  await context.get(CreateExpense).execute(caller, { ...anExpense({ entityId, fileId }), ...spent });
}

const shekels = async () =>
  (
    await context.database.query<{ shekels: string | null }>(
      'select total_in_ils as shekels from expenses where total_in_ils is not null',
    )
  ).map((row) => Number(row.shekels));

it('saves no rates if it was stopped before', async () => {
  expect(await load(RATES, AbortSignal.abort())).toEqual({ added: 0, revised: 0 });
  expect(await days()).toEqual([]);
});

it('saves whole batches only when it is stopped while it reads the rates, and reads no further batch', async () => {
  const stopping = new AbortController();
  let read = 0;
  function* source(): Iterable<DayRate> {
    for (const rate of RATES) {
      if (++read === 1.5 * BATCH) stopping.abort();
      yield rate;
    }
  }
  expect(await load(source(), stopping.signal)).toEqual({ added: BATCH, revised: 0 });
  expect(await days()).toEqual(daysOf(RATES.slice(0, BATCH)));
  expect(read).toBe(2 * BATCH);
});

it('completes the batch under way when it is stopped, and converts no expenses', async () => {
  await spend();
  const stopping = new AbortController();
  const writer = holdRates(context.database);
  await writer.ready;
  const loading = load(RATES, stopping.signal);
  await until(
    'the first batch to wait for a writer of expenses',
    async () => (await waitingForLocks(context.database)) === 1,
  );
  stopping.abort();
  await writer.release();
  expect(await loading).toEqual({ added: BATCH, revised: 0 });
  expect(await days()).toEqual(daysOf(RATES.slice(0, BATCH)));
  expect(await shekels()).toEqual([]);
  // The queue entry of the batch was saved with it.
  await context.get(RevalueExpenses).execute(new AbortController().signal);
  expect(await shekels()).toEqual([300]);
});

it('completes a stopped import when it is called again', async () => {
  const stopping = new AbortController();
  function* source(): Iterable<DayRate> {
    yield* RATES.slice(0, BATCH);
    stopping.abort();
    yield* RATES.slice(BATCH);
  }
  await load(source(), stopping.signal);
  expect(await load(RATES)).toEqual({ added: RATES.length - BATCH, revised: 0 });
  expect(await days()).toEqual(daysOf(RATES));
});
