import { setTimeout as sleep } from 'node:timers/promises';
import { startTestContext, type TestContext, until } from '@counterfoil/test-harness';
import type { DocumentHeader } from '../domain/document';
import { DocumentsModule } from '../documents.module';
import { faultsIn } from '../testing/books';
import { type GivenCompany, givenCompany } from '../testing/given-company';
import { LifeCycle } from '../testing/life-cycle';
import { insertDocuments } from '../testing/many-documents';
import type { DocumentFilter } from './ports/document.reader';
import { type DocumentBatch, ReadChangeFeed } from './read-change-feed';

const THE_BEGINNING = '2000-01-01T00:00:00Z';
const AN_HOUR_MS = 3_600_000;

let context: TestContext;
let company: GivenCompany;
let documents: LifeCycle;
/** True if the documents of the company were inserted by SQL, with inconsistent numbers. */
let imported: boolean;

beforeAll(async () => {
  context = await startTestContext([DocumentsModule]);
});
afterAll(() => context.close());
beforeEach(async () => {
  imported = false;
  company = await givenCompany(context);
  documents = new LifeCycle(context, company);
});
afterEach(async () => {
  if (!imported) expect(await faultsIn(context.database, documents.companyId)).toEqual({});
});

interface FeedQuery {
  readonly cursor?: unknown;
  readonly updatedSince?: unknown;
  readonly filter?: DocumentFilter;
  readonly limit?: number;
  readonly companyId?: number;
}

function batch({
  cursor,
  updatedSince,
  filter = {},
  limit = 50,
  companyId,
}: FeedQuery): Promise<DocumentBatch> {
  const start = { cursor, updatedSince };
  return context.get(ReadChangeFeed).execute(companyId ?? documents.companyId, filter, start, limit);
}

/** Reads the feed page by page until a page is empty. */
async function sweep(
  query: FeedQuery,
  between: (page: readonly DocumentHeader[]) => Promise<unknown> = () => Promise.resolve(),
): Promise<DocumentHeader[]> {
  const found: DocumentHeader[] = [];
  let page = await batch(query);
  while (page.documents.length > 0) {
    found.push(...page.documents);
    await between(page.documents);
    page = await batch({ ...query, updatedSince: undefined, cursor: page.nextCursor });
  }
  return found;
}

/** Like `sweep`, and compares each page's total with the number of documents from that page on. */
async function sweepWithTotals(query: FeedQuery): Promise<DocumentHeader[]> {
  const totals: number[] = [];
  const sizes: number[] = [];
  let page = await batch(query);
  const found: DocumentHeader[] = [];
  while (page.documents.length > 0) {
    totals.push(page.total);
    sizes.push(page.documents.length);
    found.push(...page.documents);
    page = await batch({ ...query, updatedSince: undefined, cursor: page.nextCursor });
  }
  expect(totals).toEqual(sizes.map((_, index) => sizes.slice(index).reduce((sum, size) => sum + size, 0)));
  return found;
}

const insert = (count: number, perChange: number, since = new Date(Date.now() - AN_HOUR_MS)) => {
  imported = true;
  return insertDocuments(context.database, company, { count, perChange, since });
};

describe('documents that one transaction has changed (contract §10.4)', () => {
  it.each([
    [1_000, 1],
    [10_000, 7],
    [10_000, 50],
    [10_000, 200],
  ])(
    '%d of them are returned completely, once each and in order, %d at a time',
    async (count, limit) => {
      await insert(count, count);
      const found = await sweepWithTotals({ updatedSince: THE_BEGINNING, limit });
      expect(found).toHaveLength(count);
      expect(new Set(found.map(({ id }) => id)).size).toBe(count);
      const order = found.map(({ id }) => id);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    },
    60_000,
  );

  it.each([3, 512, 1_500])(
    'are counted exactly at every boundary of the counts, %d to a change',
    async (perChange) => {
      await insert(5_000, perChange);
      for (const limit of [511, 512, 513, 1_000]) {
        expect(await sweepWithTotals({ updatedSince: THE_BEGINNING, limit })).toHaveLength(5_000);
      }
    },
  );
});

describe('documents that change while the feed is read (contract §10.4)', () => {
  it('are found in their final state, whatever page was being read', async () => {
    const all: DocumentHeader[] = [];
    for (let n = 0; n < 40; n++) all.push(await documents.issueOver(100));
    const receipt = await documents.receipt(4_000);
    let step = 0;
    const seen = await sweep({ updatedSince: THE_BEGINNING, limit: 7 }, async (page) => {
      if (step++ > 12) return;
      const [behind, ahead] = [page.at(-1), all[(step * 11) % all.length]];
      // Targets: the last document read, the next one, and a random one.
      const targets = [behind, ahead].filter((one) => one?.type === 'TAX_INVOICE');
      for (const { id } of new Map(
        targets.map((one) => [one?.id, one]),
      ).values() as Iterable<DocumentHeader>) {
        await documents.allocate(receipt, [{ id }, 1]);
      }
    });
    const upserted = new Map(seen.map((document) => [document.visibleId, document]));
    expect(upserted.size).toBe(41);
    for (const document of upserted.values()) {
      const { status, coveredAmount, changeNumber } = await documents.read(document);
      expect(document).toMatchObject({ status, coveredAmount, changeNumber });
    }
    expect(seen.length).toBeGreaterThan(50);
    expect(seen.map(({ changeNumber }) => changeNumber)).toEqual(
      seen.map(({ changeNumber }) => changeNumber).sort((a, b) => a - b),
    );
  });

  it('are counted exactly from every position and bucket', async () => {
    // Changes 1 to 1,000: two buckets of 512. The following changes complete the second one.
    await insert(1_000, 1);
    const imports = (await sweep({ updatedSince: THE_BEGINNING, limit: 1_000 })).filter(
      ({ status, type }) => status === 'OPEN' && type !== 'QUOTE',
    );
    const receipt = await documents.receipt(1_000);
    const at = (place: number) => imports[Math.floor(place * (imports.length - 1))] as DocumentHeader;
    for (let n = 0; n < 60; n++) {
      // Changes some documents once and others repeatedly: before, at and after the end of the bucket.
      await documents.allocate(receipt, [at((n % 20) / 20), 1], [at(1), 0.5]);
      if (n % 5 === 0) await documents.issueOver(n);
      if (![5, 20, 59].includes(n)) continue;
      for (const limit of [100, 511, 512, 513]) {
        expect(await sweepWithTotals({ updatedSince: THE_BEGINNING, limit })).toHaveLength(
          1_002 + Math.floor(n / 5),
        );
      }
    }
  }, 30_000);

  it('are returned again after each change, and only then', async () => {
    const [invoice, other] = [await documents.issueOver(100), await documents.issueOver(50)];
    const receipt = await documents.receipt(100);
    const first = await batch({ updatedSince: THE_BEGINNING });
    expect(first.documents.map(({ id }) => id)).toEqual([invoice.id, other.id, receipt.id]);
    await documents.allocate(receipt, [invoice, 10]);
    const second = await batch({ cursor: first.nextCursor });
    expect(second.documents.map(({ id }) => id)).toEqual([invoice.id, receipt.id]);
    await documents.cancel(receipt);
    const third = await batch({ cursor: second.nextCursor });
    expect(third.documents.map(({ id, status }) => [id, status])).toEqual([
      [invoice.id, 'OPEN'],
      [receipt.id, 'CANCELLED'],
    ]);
    expect(third.total).toBe(2);
  });

  it('are found by concurrent readers with concurrent writers', async () => {
    const writers = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let n = 0; n < 15; n++) {
          const invoice = await documents.issueOver(10);
          await documents.receipt(10, { allocations: [{ documentId: invoice.id, amount: 10 }] });
        }
      }),
    );
    let done = false;
    void writers.then(() => (done = true));
    const follow = async (limit: number) => {
      const seen = new Map<number, DocumentHeader>();
      let cursor: string | null = null;
      for (;;) {
        const last: boolean = done;
        const page: DocumentBatch = await batch(
          cursor === null ? { updatedSince: THE_BEGINNING, limit } : { cursor, limit },
        );
        for (const document of page.documents) seen.set(document.id, document);
        cursor = page.nextCursor;
        if (last && page.documents.length < limit) return seen;
      }
    };
    const followed = await Promise.all([1, 3, 200].map(follow));
    await writers;
    for (const seen of followed) {
      expect(seen.size).toBe(240);
      expect([...seen.values()].filter(({ status }) => status !== 'PAID')).toEqual([]);
    }
  }, 60_000);
});

describe('a cursor (contract §10.3)', () => {
  const garbage = ['', ' ', 'x', '1.1', 'null', '=', 'AQ', 5, null, {}, [], ['a'], 'a'.repeat(10_000)];

  it('is valid only where it was issued', async () => {
    for (let n = 0; n < 3; n++) await documents.issueOver(10);
    const filter = { type: 'TAX_INVOICE', status: 'OPEN' } as const;
    const { nextCursor } = await batch({ updatedSince: THE_BEGINNING, limit: 1, filter });
    const same = { status: 'OPEN', type: 'TAX_INVOICE', search: undefined } as const;
    expect((await batch({ cursor: nextCursor, filter: same })).documents).toHaveLength(2);

    const other = await givenCompany(context, 'Other');
    const elsewhere: FeedQuery[] = [
      { companyId: other.caller.companyId, filter },
      { filter: {} },
      { filter: { type: 'TAX_INVOICE' } },
      { filter: { ...filter, status: 'PAID' } },
      { filter: { ...filter, search: 'x' } },
      { filter: { ...filter, entityId: company.entityId } },
    ];
    for (const query of elsewhere) {
      await expect(batch({ ...query, cursor: nextCursor })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
    }
  });

  it('that was modified, or signed with another key, is refused', async () => {
    await documents.issueOver(10);
    const { nextCursor } = await batch({ updatedSince: THE_BEGINNING });
    const cursor = nextCursor ?? '';
    for (let at = 0; at < cursor.length; at++) {
      const edited = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      await expect(batch({ cursor: edited })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
    }
    const otherKey = new ReadChangeFeed(null as never, null as never, {
      ...context.config,
      secretsKeys: [{ id: null, key: 'z'.repeat(32) }],
    });
    await expect(
      otherKey.execute(documents.companyId, {}, { cursor, updatedSince: undefined }, 1),
    ).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it.each(garbage.map((sent) => [JSON.stringify(sent).slice(0, 20), sent]))(
    'cannot be %s',
    async (_, sent) => {
      await expect(batch({ cursor: sent, updatedSince: THE_BEGINNING })).rejects.toMatchObject({
        code: 'INVALID_CURSOR',
      });
    },
  );

  it('takes precedence over updatedSince, even a malformed one', async () => {
    await documents.issueOver(10);
    const { nextCursor } = await batch({ updatedSince: THE_BEGINNING });
    expect((await batch({ cursor: nextCursor, updatedSince: THE_BEGINNING })).documents).toEqual([]);
    expect((await batch({ cursor: nextCursor, updatedSince: 'yesterday' })).documents).toEqual([]);
  });
});

describe('updatedSince (contract §10.1)', () => {
  const now = async () => {
    const [row] = await context.database.query<{ now: Date }>('select clock_timestamp() as now');
    return row!.now;
  };

  it('finds all later changes, and at most one earlier change', async () => {
    const times: Date[] = [];
    for (let n = 0; n < 30; n++) {
      const { updatedAt } = await documents.issueOver(10);
      times.push(updatedAt, new Date(updatedAt.getTime() + 1), await now());
      if (n % 3 === 0) await sleep(2);
    }
    const all = await sweep({ updatedSince: THE_BEGINNING });
    for (const since of times.filter((time) => time.getTime() <= Date.now())) {
      const found = new Set((await sweep({ updatedSince: since.toISOString() })).map(({ id }) => id));
      const due = all.filter(({ updatedAt }) => updatedAt >= since);
      expect(due.filter(({ id }) => !found.has(id))).toEqual([]);
      expect(found.size - due.length).toBeLessThanOrEqual(1);
    }
  });

  it('finds a change that was made before that time and committed after it', async () => {
    await context.database.query(`
      create function hold_commit() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(4711); return null; end $$;
      create constraint trigger hold_commit after insert on documents deferrable initially deferred
        for each row when (new.notes = 'held') execute function hold_commit()`);
    for (let round = 0; round < 6; round++) {
      if (round % 2 === 1) await documents.issueOver(10);
      const held = context.database.hold('select pg_advisory_xact_lock(4711)');
      await held.ready;
      const issuing = documents.issueOver(100, 'TAX_INVOICE', { notes: 'held' });
      await until('the commit to be held', async () => {
        const sql = `select 1 from pg_locks where locktype = 'advisory' and not granted and objid = 4711`;
        return (await context.database.query(sql)).length > 0;
      });
      const since = new Date((await now()).getTime() + 1).toISOString();
      await until('the time to pass', async () => (await now()) > new Date(since));
      const before = await batch({ updatedSince: since });
      await held.release();
      const { id, updatedAt } = await issuing;
      expect(updatedAt.getTime()).toBeLessThan(Date.parse(since));

      const opened = await sweep({ updatedSince: since });
      expect(opened.map((one) => one.id)).toContain(id);
      const goneOn = await sweep(
        before.nextCursor === null ? { updatedSince: since } : { cursor: before.nextCursor },
      );
      expect(goneOn.map((one) => one.id)).toContain(id);
    }
  }, 60_000);

  it('returns no additional change if the last one is long past', async () => {
    const past = new Date(Date.now() - AN_HOUR_MS);
    await insert(30, 10, past);
    const since = (ms: number) => batch({ updatedSince: new Date(past.getTime() + ms).toISOString() });
    expect((await since(0)).total).toBe(30);
    expect(
      (await since(1_000)).documents.filter(({ updatedAt }) => updatedAt >= new Date(past.getTime() + 1_000)),
    ).toHaveLength(20);
    expect(await batch({ updatedSince: new Date().toISOString() })).toEqual({
      documents: [],
      total: 0,
      nextCursor: null,
    });
  });

  it('finds every change of the given millisecond', async () => {
    const at = new Date(Date.now() - AN_HOUR_MS);
    await insert(30, 1, at);
    await context.database.query(
      `update documents set updated_at = $2 where company_id = $1 and change_number > 10`,
      [documents.companyId, new Date(at.getTime() + 20_000)],
    );
    const { documents: found } = await batch({ updatedSince: new Date(at.getTime() + 20_000).toISOString() });
    const due = found.map(({ changeNumber }) => changeNumber).filter((change) => change > 10);
    expect(due).toEqual(Array.from({ length: 20 }, (_, index) => index + 11));
  });

  it.each(['a minute', 'a century'])('%s from now finds nothing, and gives no cursor', async (when) => {
    await documents.issueOver(10);
    const ms = when === 'a minute' ? 60_000 : 100 * 365 * 24 * AN_HOUR_MS;
    const updatedSince = new Date(Date.now() + ms).toISOString();
    expect(await batch({ updatedSince })).toEqual({ documents: [], total: 0, nextCursor: null });
  });

  it.each([
    '2026-13-01',
    '2026-02-30T00:00:00Z',
    'yesterday',
    '1763710000',
    '1763710000000',
    '2026-11-21T10:00:00',
    '2026-11-21 10:00:00Z',
    '2026-11-21T10:00:00 02:00',
    '',
    ' ',
    'Invalid Date',
    null,
    1_763_710_000,
    ['2026-11-21T10:00:00Z'],
    {},
  ])('that is %j is refused', async (updatedSince) => {
    await expect(batch({ updatedSince })).rejects.toMatchObject({ code: 'INVALID_UPDATED_SINCE' });
  });

  it.each(['2020-01-01', '2020-01-01T00:00Z', '2020-01-01T02:00:00.123456+02:00', '20200101T000000Z'])(
    'may be written as %s',
    async (updatedSince) => {
      await documents.issueOver(10);
      expect((await batch({ updatedSince })).total).toBe(1);
    },
  );
});

describe('a drained feed (contract §10.2)', () => {
  it('keeps its position: an empty page returns the same cursor, which finds later changes', async () => {
    const fresh = await batch({ updatedSince: THE_BEGINNING });
    expect(fresh).toEqual({ documents: [], total: 0, nextCursor: null });
    const invoice = await documents.issueOver(10);
    const { nextCursor } = await batch({ updatedSince: THE_BEGINNING, limit: 1 });
    expect(nextCursor).toEqual(expect.any(String));
    for (let n = 0; n < 3; n++) {
      expect(await batch({ cursor: nextCursor })).toEqual({ documents: [], total: 0, nextCursor });
    }
    await documents.close(invoice);
    expect((await batch({ cursor: nextCursor })).documents).toMatchObject([
      { id: invoice.id, status: 'CLOSED' },
    ]);
  });

  it('does not show changes of other companies', async () => {
    const other = new LifeCycle(context, await givenCompany(context, 'Other'));
    await other.issueOver(10);
    expect((await batch({ updatedSince: THE_BEGINNING })).documents).toEqual([]);
  });
});

describe('a feed with a filter', () => {
  it.each<[string, DocumentFilter, (n: number) => boolean]>([
    ['type', { type: 'ORDER' }, (n) => n % 4 === 1],
    ['status', { status: 'CLOSED' }, (n) => n % 3 === 1],
    ['type and status', { type: 'ORDER', status: 'CLOSED' }, (n) => n % 12 === 1],
    ['search', { search: 'IMPORT-99' }, (n) => String(n).startsWith('99')],
    ['nothing that there is', { type: 'REFUND' }, () => false],
  ])('by %s returns and counts the matching documents', async (_, filter, fits) => {
    await insert(3_000, 10);
    const expected = Array.from({ length: 3_000 }, (__, index) => index + 1).filter(fits);
    const found = await sweepWithTotals({ updatedSince: THE_BEGINNING, filter, limit: 37 });
    expect(found.map(({ number }) => number)).toEqual(expected);
  });

  it('by status returns a document when it starts to match', async () => {
    const [a] = [await documents.issueOver(10), await documents.issueOver(10)];
    const filter = { status: 'CLOSED' } as const;
    expect((await batch({ updatedSince: THE_BEGINNING, filter })).nextCursor).toBeNull();
    await documents.close(a);
    const first = await batch({ updatedSince: THE_BEGINNING, filter });
    expect(first.documents.map(({ id }) => id)).toEqual([a.id]);
  });
});
