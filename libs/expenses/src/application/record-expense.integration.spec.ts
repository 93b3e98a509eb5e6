import { DocumentsModule } from '@counterfoil/documents';
import { IdentityModule } from '@counterfoil/identity';
import { type Caller, Clock } from '@counterfoil/kernel';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { ExpenseDetails } from '../domain/expense';
import { ExpensesModule } from '../expenses.module';
import { anExpense, givenCaller, givenFile, givenVendor } from '../testing/given-expense';
import { CreateExpense } from './create-expense';
import { DeleteExpense } from './delete-expense';
import { EditExpense } from './edit-expense';
import { ExpenseReader, type ExpenseRow } from './ports/expense.reader';

const START = Date.parse('2026-11-22T08:00:00.000Z');

/** A clock that goes back by a second at every call, because clocks of processes differ. */
class BackwardClock extends Clock {
  private calls = 0;

  override now(): Date {
    this.calls += 1;
    return new Date(START - this.calls * 1_000);
  }
}

let context: TestContext;
let caller: Caller;
let entityId: number;
let fileId: number;

beforeAll(async () => {
  context = await startTestContext([DocumentsModule, ExpensesModule, IdentityModule], (builder) =>
    builder.overrideProvider(Clock).useValue(new BackwardClock()),
  );
});
beforeEach(async () => {
  caller = await givenCaller(context);
  entityId = await givenVendor(context, caller);
  fileId = await givenFile(context, caller, 'receipt');
});
afterAll(() => context.close());

const create = (other: Partial<ExpenseDetails> = {}, by = caller) =>
  context.get(CreateExpense).execute(by, anExpense({ entityId, fileId }, other));
const edit = (id: number, changes: Partial<ExpenseDetails>) =>
  context.get(EditExpense).execute(caller, id, changes);
const read = async (id: number): Promise<ExpenseRow> => {
  const found = await context.get(ExpenseReader).find(caller.companyId, id);
  if (!found) throw new Error('there is no such expense');
  return found;
};
const publish = (date: string, rate: number, { currency = 'USD', unit = 1 } = {}) =>
  context.database.query(
    `insert into exchange_rates (company_id, currency, date, rate, unit, created_at, updated_at)
     values (null, $1, $2, $3, $4, now(), now())
     on conflict (company_id, currency, date) do update set rate = excluded.rate, unit = excluded.unit`,
    [currency, date, rate, unit],
  );
const events = async () => {
  const rows = await context.database.query<{ body: string }>(
    'select body from outbox_events where company_id = $1 order by sequence',
    [caller.companyId],
  );
  return rows.map(
    ({ body }) => JSON.parse(body) as { type: string; data: { expense: Record<string, unknown> } },
  );
};

describe('the amount in shekels (contract §11.8)', () => {
  it('uses the rate of its own date, not of today', async () => {
    await publish('2024-03-06', 3.6);
    await publish('2024-03-07', 3.7);
    await publish('2026-11-21', 9);
    const { id } = await create({ currency: 'USD', total: 100, date: '2024-03-06' });
    expect(await read(id)).toMatchObject({
      totalInILS: 360,
      exchangeRate: 3.6,
      exchangeRateUnit: 1,
      exchangeRateDate: '2024-03-06',
    });
  });

  it('equals the total in shekels, whatever rate is saved for them', async () => {
    const { id } = await create({ total: 0.01, tax: 0, deductableTax: 0 });
    expect(await read(id)).toMatchObject({ totalInILS: 0.01, exchangeRate: null, exchangeRateDate: null });
  });

  it('is computed again after a change of date, currency or total only', async () => {
    await publish('2024-05-01', 3.5, { currency: 'EUR' });
    await publish('2024-05-02', 4, { currency: 'EUR' });
    await publish('2024-05-02', 2.5, { currency: 'JPY', unit: 100 });
    const { id } = await create({ currency: 'EUR', total: 100, date: '2024-05-01' });
    await publish('2024-05-01', 3.9, { currency: 'EUR' });
    await edit(id, {
      title: 'Another',
      tax: 1,
      deductableTax: 0,
      notes: 'x',
      isEquipment: true,
      date: '2024-05-01',
    });
    expect(await read(id)).toMatchObject({ totalInILS: 350, exchangeRate: 3.5, title: 'Another' });
    await edit(id, { date: '2024-05-02' });
    expect(await read(id)).toMatchObject({ totalInILS: 400, exchangeRateDate: '2024-05-02' });
    await edit(id, { total: 200.1 });
    expect(await read(id)).toMatchObject({ totalInILS: 800.4 });
    await edit(id, { currency: 'JPY' });
    expect(await read(id)).toMatchObject({ totalInILS: 5, exchangeRate: 2.5, exchangeRateUnit: 100 });
    await edit(id, { currency: 'ILS' });
    expect(await read(id)).toMatchObject({ totalInILS: 200.1, exchangeRate: null, exchangeRateUnit: null });
    await edit(id, { currency: 'CHF' });
    expect(await read(id)).toMatchObject({ totalInILS: null, exchangeRate: null, exchangeRateDate: null });
  });
});

describe('an edit', () => {
  it('validates the result, and changes nothing if it is invalid', async () => {
    const { id } = await create({ total: 118, tax: 18, deductableTax: 18 });
    const before = await read(id);
    const refused = (changes: Partial<ExpenseDetails>, field: string) =>
      expect(edit(id, changes)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    await refused({ total: 17.99, deductableTax: 1 }, 'tax');
    await refused({ tax: 17.99 }, 'deductableTax');
    await refused({ deductableTax: 18.01 }, 'deductableTax');
    expect(await read(id)).toEqual(before);
    expect(await events()).toHaveLength(1);
    await edit(id, { total: 10, tax: 2, deductableTax: 2 });
    expect(await read(id)).toMatchObject({ total: 10, tax: 2, deductableTax: 2, totalInILS: 10 });
  });

  it('without a difference changes nothing and writes no event', async () => {
    const { id } = await create();
    const before = await read(id);
    await edit(id, { ...anExpense({ entityId, fileId }) });
    await edit(id, {});
    expect(await read(id)).toEqual(before);
    expect((await events()).map(({ type }) => type)).toEqual(['expense.created']);
  });

  it('never has an earlier time than previous events, nor has a deletion', async () => {
    const { id } = await create();
    await edit(id, { title: 'Another' });
    await context.get(DeleteExpense).execute(caller, id);
    const told = await events();
    expect(told.map(({ type }) => type)).toEqual(['expense.created', 'expense.updated', 'expense.deleted']);
    const times = told.map(({ data }) => data.expense['updatedAt']);
    expect(times).toEqual([...times].sort());
    expect(told.map(({ data }) => Object.keys(data.expense))).not.toContainEqual(
      expect.arrayContaining([expect.stringMatching(/title|notes/)]),
    );
  });

  it('is not lost among concurrent ones', async () => {
    const { id } = await create({ total: 1_000, tax: 0, deductableTax: 0 });
    const edits: Partial<ExpenseDetails>[] = [
      ...[{ title: 'one' }, { notes: 'two' }, { documentNumber: 'three' }, { isEquipment: true }],
      ...[{ date: '2026-01-01' }, { total: 2_000 }, { currency: 'USD' }],
    ];
    await Promise.all(edits.map((changes) => edit(id, changes)));
    expect(await read(id)).toMatchObject(Object.assign({}, ...edits) as object);
    expect(await read(id)).toMatchObject({ totalInILS: null });
    expect(await events()).toHaveLength(1 + edits.length);
  });
});

describe('expenses of one company that wait for each other', () => {
  it('leave connections for other companies', async () => {
    const other = await givenCaller(context);
    const theirs = {
      entityId: await givenVendor(context, other),
      fileId: await givenFile(context, other, 'theirs'),
    };
    const stuck = context.database.hold(
      `select pg_advisory_xact_lock(hashtextextended('costs', ${caller.companyId}))`,
    );
    await stuck.ready;
    const waiting = Promise.all(Array.from({ length: 60 }, () => create()));
    // If they had taken all connections, this could not end before they are released.
    expect((await create(theirs, other)).possibleDuplicateOf).toEqual([]);
    const [held] = await context.database.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(held!.waiting).toBeLessThanOrEqual(4);
    await stuck.release();
    expect(await waiting).toHaveLength(60);
  });
});

describe('a likely duplicate', () => {
  it('has the same vendor and document number or the same bytes, within the company', async () => {
    const otherVendor = await givenVendor(context, caller, 'Other Ltd');
    const [sameBytes, otherBytes] = [
      await givenFile(context, caller, 'receipt'),
      await givenFile(context, caller, 'another'),
    ];
    const stranger = await givenCaller(context);
    const theirs = {
      entityId: await givenVendor(context, stranger),
      fileId: await givenFile(context, stranger, 'receipt'),
    };
    await create(theirs, stranger);
    const first = await create({ documentNumber: 'Ab-1' });
    expect(first.possibleDuplicateOf).toEqual([]);
    const duplicates = async (other: Partial<ExpenseDetails>) => (await create(other)).possibleDuplicateOf;
    expect(await duplicates({ documentNumber: '\u200F aB-1\u00A0\n', fileId: otherBytes })).toEqual([
      first.id,
    ]);
    expect(await duplicates({ documentNumber: null, fileId: sameBytes })).toEqual([first.id]);
    const third = await givenFile(context, caller, 'third');
    expect(await duplicates({ documentNumber: 'Ab-1', entityId: otherVendor, fileId: third })).toEqual([]);
    const fourth = await givenFile(context, caller, 'fourth');
    expect(await duplicates({ documentNumber: null, fileId: fourth })).toEqual([]);
    expect(await duplicates({ documentNumber: null, fileId: await givenFile(context, caller, '5') })).toEqual(
      [],
    );
  });

  it('is also named by an edit, which never names itself', async () => {
    const first = await create({ documentNumber: 'A' });
    const second = await create({ documentNumber: 'B', fileId: await givenFile(context, caller, 'b') });
    expect(await edit(second.id, { title: 'x' })).toEqual([]);
    expect(await edit(second.id, { documentNumber: 'a' })).toEqual([first.id]);
  });

  it('is seen by the later of two concurrent calls', async () => {
    const recorded = await Promise.all(Array.from({ length: 12 }, () => create()));
    const ids = recorded.map(({ id }) => id).sort((a, b) => a - b);
    const named = recorded.map(({ possibleDuplicateOf }) => possibleDuplicateOf.length).sort((a, b) => a - b);
    // Each sees all expenses that were committed before it.
    expect(named).toEqual(ids.map((_, index) => index));
  });

  it('is seen by the later of two concurrent edits of the receipt only', async () => {
    for (let pair = 0; pair < 15; pair++) {
      const ids: number[] = [];
      for (const number of ['a', 'b']) {
        const own = await givenFile(context, caller, `${pair} ${number}`);
        ids.push((await create({ documentNumber: `${pair} ${number}`, fileId: own })).id);
      }
      const shared = await givenFile(context, caller, `shared ${pair}`);
      const named = await Promise.all(ids.map((id) => edit(id, { fileId: shared })));
      expect(named.flat().length).toBeGreaterThan(0);
    }
  });

  it('is named again by an edit without changes', async () => {
    const first = await create({ documentNumber: 'A' });
    const second = await create({ documentNumber: 'A' });
    expect(await edit(second.id, {})).toEqual([first.id]);
  });

  it('is one of at most 20, the oldest', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 22; count++) ids.push((await create()).id);
    expect((await create()).possibleDuplicateOf).toEqual(ids.slice(0, 20));
  });
});
