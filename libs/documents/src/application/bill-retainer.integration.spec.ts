import { EditCompany } from '@counterfoil/identity';
import { Clock, MONEY_MAX } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { RunTaken, Schedules } from '@counterfoil/scheduling';
import {
  type OpenContext,
  openTestContext,
  SetClock,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import type { TestingModuleBuilder } from '@nestjs/testing';
import type { NewItem } from '../domain/draft-document';
import type { NewRetainer } from '../domain/retainer';
import { anInvoice, type GivenCompany, givenCompany } from '../testing/given-company';
import { RecordingQueue } from '../testing/recording-queue';
import { aRetainer, bill, billedBy, retainersOf, RETAINERS_MODULE } from '../testing/retainers';
import { BillRetainer } from './bill-retainer';
import { CreateRetainer } from './create-retainer';
import { EndRetainer } from './end-retainer';
import { IssueDocument } from './issue-document';

const INTERVAL_MS = 30_000;

let context: TestContext;
let company: GivenCompany;
const clock = new SetClock();
const queue = new RecordingQueue();
const onTestClock = (builder: TestingModuleBuilder) => builder.overrideProvider(Clock).useValue(clock);

beforeAll(async () => {
  context = await startTestContext(
    [RETAINERS_MODULE],
    (builder) => onTestClock(builder).overrideProvider(JobQueue).useValue(queue),
    { SCHEDULER_INTERVAL: '30s' },
  );
});
afterAll(() => context.close());
beforeEach(async () => {
  clock.set('2026-01-31T10:00:00Z');
  queue.documentIds.length = 0;
  company = await givenCompany(context);
});

const create = (changes: Partial<NewRetainer> = {}, { caller, entityId } = company): Promise<number> =>
  context.get(CreateRetainer).execute(caller, aRetainer(entityId, changes));
const end = (id: number) => context.get(EndRetainer).execute(company.caller, id);
const setVat = (defaultVatRate: number, { caller } = company) =>
  context.get(EditCompany).execute(caller, { defaultVatRate });
const datesOf = async (id: number) => (await billedBy(context, id)).map(({ issueDate }) => issueDate);
const rowOf = async (id: number, { caller } = company) =>
  (await retainersOf(context, caller)).find((row) => row.id === id);

interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function toldOf({ caller }: GivenCompany, type?: string): Promise<Told[]> {
  const rows = await context.database.query<{ body: string }>(
    'select body from outbox_events where company_id = $1 order by sequence',
    [caller.companyId],
  );
  const told = rows.map(({ body }) => JSON.parse(body) as Told);
  return type === undefined ? told : told.filter((one) => one.type === type);
}

/** A total within the limits without VAT, and beyond them with 18 % VAT. */
const NEARLY_TOO_MUCH: NewItem[] = Array.from({ length: 90 }, () => ({
  ...{ description: 'Ships', quantity: 1, unitPrice: 9_999_999_999 },
}));

describe('a retainer', () => {
  it.each([
    ['2026-01-31', '2026-01-30T21:59:59.999Z', '2026-01-30T22:00:00.000Z'],
    ['2026-07-31', '2026-07-30T20:59:59.999Z', '2026-07-30T21:00:00.000Z'],
  ])('issues from midnight in Israel: %s', async (nextRunDate, before, midnight) => {
    clock.set(before);
    const id = await create({ nextRunDate });
    await bill(context, id);
    expect(await datesOf(id)).toEqual([]);
    clock.set(midnight);
    await bill(context, id);
    expect(await datesOf(id)).toEqual([nextRunDate]);
  });

  it('that begins on the 31st issues on the last day of every month', async () => {
    clock.set('2024-01-31T10:00:00Z');
    const id = await create({ nextRunDate: '2024-01-31' });
    for (const now of ['2024-02-28', '2024-02-29', '2024-03-30', '2024-03-31', '2024-04-30', '2025-02-28']) {
      clock.set(`${now}T10:00:00Z`);
      await bill(context, id);
    }
    const dates = await datesOf(id);
    expect(dates.slice(0, 5)).toEqual(['2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31']);
    expect(dates.slice(-3)).toEqual(['2024-12-31', '2025-01-31', '2025-02-28']);
    expect(dates).toHaveLength(14);
  });

  it('that missed several runs issues each with its own date, numbered in order', async () => {
    const id = await create({ nextRunDate: '2025-10-31' });
    await bill(context, id);
    expect(await billedBy(context, id)).toMatchObject([
      { number: 1, issueDate: '2025-10-31' },
      { number: 2, issueDate: '2025-11-30' },
      { number: 3, issueDate: '2025-12-31' },
      { number: 4, issueDate: '2026-01-31' },
    ]);
    expect(await rowOf(id)).toMatchObject({
      nextRunDate: '2026-02-28',
      lastDocument: { type: 'TAX_INVOICE', number: 4, issueDate: '2026-01-31' },
      refusal: null,
    });
  });

  it('gives each document its period, up to the day before the next due date', async () => {
    const id = await create({ nextRunDate: '2025-11-30' });
    await bill(context, id);
    const periods = await context.database.query(
      `select issue_date::text as date, period_from::text as "from", period_until::text as until
         from documents where retainer_id = $1 order by id`,
      [id],
    );
    expect(periods).toEqual([
      { date: '2025-11-30', from: '2025-11-30', until: '2025-12-29' },
      { date: '2025-12-30', from: '2025-12-30', until: '2026-01-29' },
      { date: '2026-01-30', from: '2026-01-30', until: '2026-02-27' },
    ]);
  });

  it("uses the company's VAT at the time of issue, or its own if it has one", async () => {
    const plain = { description: 'Support', quantity: 1, unitPrice: 100 };
    const id = await create({ items: [plain, { ...plain, vatRate: 0 }] });
    await bill(context, id);
    await setVat(17);
    clock.set('2026-02-28T10:00:00Z');
    await bill(context, id);
    expect((await billedBy(context, id)).map(({ totalWithTax }) => totalWithTax)).toEqual([218, 217]);
  });

  it('shares the document numbers with calls', async () => {
    const { caller, entityId } = company;
    const issue = () => context.get(IssueDocument).execute(caller, anInvoice(entityId));
    const id = await create({ nextRunDate: '2025-12-31' });
    await issue();
    await bill(context, id);
    const { document } = (await issue()) as { document: { number: number } };
    expect((await billedBy(context, id)).map(({ number }) => number)).toEqual([2, 3]);
    expect(document.number).toBe(4);
  });

  it('writes the usual event of each document with its own id, in the same transaction', async () => {
    const id = await create({ nextRunDate: '2025-12-31' });
    await bill(context, id);
    const documents = await billedBy(context, id);
    const told = await toldOf(company, 'document.created');
    expect(told.map(({ data }) => data['document'])).toMatchObject(
      documents.map((one) => ({ documentId: one.id, number: one.number, retainerId: id })),
    );
    expect(await toldOf(company)).toHaveLength(2);
  });

  it('gets allocation numbers for large invoices', async () => {
    clock.set('2026-06-01T10:00:00Z');
    const items = [{ description: 'Support', quantity: 1, unitPrice: 5_000.01 }];
    const id = await create({ items, nextRunDate: '2026-06-01' });
    await bill(context, id);
    const [document] = await billedBy(context, id);
    expect(queue.documentIds).toEqual([document!.id]);
    expect(await toldOf(company, 'document.created')).toMatchObject([
      { data: { document: { approvalNumberStatus: 'PENDING' } } },
    ]);
    const pending = 'select document_id::int as id from document_approvals where document_id = $1';
    expect(await context.database.query(pending, [document!.id])).toEqual([{ id: document!.id }]);
  });

  it('is refused if it would begin more than ten years ago', async () => {
    await expect(create({ nextRunDate: '2016-01-30' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'nextRunDate' }],
    });
    expect(await rowOf(await create({ nextRunDate: '2016-01-31' }))).toBeDefined();
  });

  it('is refused when it would have missed more than 160 runs', async () => {
    for (const nextRunDate of ['2016-02-01', '2023-01-07']) {
      await expect(create({ interval: 'WEEKLY', nextRunDate })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: [{ field: 'nextRunDate', problem: expect.stringContaining('from 2023-01-14 on') }],
      });
    }
    expect(await rowOf(await create({ interval: 'WEEKLY', nextRunDate: '2023-01-14' }))).toBeDefined();
  });

  it('that is refused leaves nothing behind', async () => {
    const count = 'select count(*)::int as count from schedules';
    const before = await context.database.query(count);
    await expect(create({ entityId: 999_999_999 })).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
    await expect(create({ items: NEARLY_TOO_MUCH })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await context.database.query(count)).toEqual(before);
  });
});

describe('an ended retainer', () => {
  it('issues nothing, although documents were due', async () => {
    const id = await create({ nextRunDate: '2025-11-30' });
    await end(id);
    const ended = await context.database.query('select ended_at as at from schedules where id = $1', [id]);
    expect(ended).toEqual([{ at: clock.now() }]);
    await bill(context, id);
    expect(await billedBy(context, id)).toEqual([]);
    expect(await rowOf(id)).toBeUndefined();
  });

  it('keeps the documents issued before', async () => {
    const id = await create({ nextRunDate: '2026-01-31' });
    await bill(context, id);
    await end(id);
    clock.set('2026-12-31T10:00:00Z');
    await bill(context, id);
    expect(await datesOf(id)).toEqual(['2026-01-31']);
  });

  it('issues nothing if it ends after its run was found, which is not an error', async () => {
    const id = await create();
    const run = await context.get(Schedules).findDueRun(id, '2026-01-31', clock.now());
    await end(id);
    await expect(context.get(BillRetainer).carryOut(run!)).rejects.toThrow(RunTaken);
    expect(
      await context.get(BillRetainer).eventsOf(run!, { code: 'VALIDATION_FAILED', message: 'x' }),
    ).toEqual([]);
    expect(await billedBy(context, id)).toEqual([]);
  });
});

describe('a refused document', () => {
  let id: number;
  beforeEach(async () => {
    clock.set('2026-01-30T10:00:00Z');
    await setVat(0);
    id = await create({ items: NEARLY_TOO_MUCH });
    await setVat(18);
    clock.set('2026-01-31T10:00:00Z');
  });

  it('is shown at its retainer and reported once, however often it is retried', async () => {
    const message = `must not total more than ${MONEY_MAX}`;
    for (const [attempt, pauseMs] of [INTERVAL_MS, 2 * INTERVAL_MS, 4 * INTERVAL_MS].entries()) {
      await bill(context, id);
      expect(await rowOf(id)).toMatchObject({
        nextRunDate: '2026-01-31',
        lastDocument: null,
        refusal: {
          runDate: '2026-01-31',
          code: 'VALIDATION_FAILED',
          message: expect.stringContaining(message),
          attempts: attempt + 1,
          nextAttemptAt: new Date(clock.now().getTime() + pauseMs),
        },
      });
      clock.advance(pauseMs);
    }
    for (let attempt = 4; attempt < 10; attempt++) {
      await bill(context, id);
      clock.advance(3_600_000);
    }
    expect((await rowOf(id))?.refusal).toMatchObject({ attempts: 9 });
    expect((await rowOf(id))?.refusal?.nextAttemptAt).toEqual(clock.now());
    const retainer = { id, entityId: company.entityId, documentType: 'TAX_INVOICE', currency: 'ILS' };
    expect(await toldOf(company)).toMatchObject([
      {
        type: 'retainer.document_refused',
        data: {
          retainer,
          runDate: '2026-01-31',
          code: 'VALIDATION_FAILED',
          error: expect.stringContaining(message),
        },
      },
    ]);
  });

  it('takes no number, and succeeds later with its own date, together with later ones', async () => {
    await bill(context, id);
    clock.set('2026-03-15T10:00:00Z');
    await bill(context, id);
    expect(await billedBy(context, id)).toEqual([]);
    await setVat(0);
    clock.advance(3_600_000);
    await bill(context, id);
    expect(await billedBy(context, id)).toMatchObject([
      { number: 1, issueDate: '2026-01-31' },
      { number: 2, issueDate: '2026-02-28' },
    ]);
    expect(await rowOf(id)).toMatchObject({ nextRunDate: '2026-03-31', refusal: null });
    expect((await toldOf(company)).map(({ type }) => type)).toEqual([
      'retainer.document_refused',
      'document.created',
      'document.created',
    ]);
  });

  it('delays neither other retainers nor other companies', async () => {
    const other = await givenCompany(context, 'Other');
    const [beside, theirs] = [await create(), await create({}, other)];
    await bill(context, id, beside, theirs);
    expect([await datesOf(id), await datesOf(beside), await datesOf(theirs)]).toEqual([
      [],
      ['2026-01-31'],
      ['2026-01-31'],
    ]);
    expect(await rowOf(theirs, other)).toMatchObject({ refusal: null });
    expect((await toldOf(other)).map(({ type }) => type)).toEqual(['document.created']);
  });
});

describe('an internal error', () => {
  it('is shown as internal without an event; the document is issued later, once, without a gap', async () => {
    const id = await create();
    const { companyId } = company.caller;
    await context.database.query(`
      create function break_down() returns trigger language plpgsql as $$ begin raise 'broken down'; end $$;
      create constraint trigger break_down after insert on documents deferrable initially deferred
        for each row when (new.company_id = ${companyId}) execute function break_down()`);
    await bill(context, id);
    expect(await rowOf(id)).toMatchObject({ nextRunDate: '2026-01-31', lastDocument: null });
    expect((await rowOf(id))?.refusal).toEqual({
      runDate: '2026-01-31',
      code: 'INTERNAL',
      message: 'an internal error; the run is retried',
      attempts: 1,
      nextAttemptAt: new Date(clock.now().getTime() + INTERVAL_MS),
    });
    expect(await toldOf(company)).toEqual([]);
    await context.database.query('drop trigger break_down on documents; drop function break_down');
    clock.advance(INTERVAL_MS - 1);
    await bill(context, id);
    expect(await billedBy(context, id)).toEqual([]);
    clock.advance(1);
    await bill(context, id);
    expect(await billedBy(context, id)).toMatchObject([{ number: 1, issueDate: '2026-01-31' }]);
    expect(await rowOf(id)).toMatchObject({ refusal: null });
    expect((await toldOf(company)).map(({ type }) => type)).toEqual(['document.created']);
  });
});

describe.each([2, 8])('%d processes that issue documents of the same retainers', (processes) => {
  it('issue each once, in order and without gaps', async () => {
    const dates = ['2025-09-30', '2025-10-30', '2025-11-30', '2025-12-30', '2026-01-30'];
    const companies = [company, await givenCompany(context, 'Other')];
    const ids: number[] = [];
    for (const one of companies) {
      for (let n = 0; n < 4; n++) ids.push(await create({ nextRunDate: dates[0]! }, one));
    }
    const contexts: OpenContext[] = [];
    for (let n = 0; n < processes; n++) {
      contexts.push(await openTestContext(context.config, [RETAINERS_MODULE], onTestClock));
    }
    try {
      await Promise.all(
        contexts.flatMap((one, at) => (at % 2 === 0 ? ids : ids.toReversed()).map((id) => bill(one, id))),
      );
    } finally {
      await Promise.all(contexts.map((one) => one.close()));
    }
    // Concurrent runs skip rows that others have locked. The sweep finds the rest.
    await bill(context, ...ids);
    for (const id of ids) {
      expect(await datesOf(id)).toEqual(dates);
    }
    for (const one of companies) {
      const numbers = await context.database.query<{ number: number }>(
        'select number::int from documents where company_id = $1 order by number',
        [one.caller.companyId],
      );
      expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
      expect(await toldOf(one, 'document.created')).toHaveLength(20);
      expect(await toldOf(one, 'retainer.document_refused')).toEqual([]);
    }
  });
});
