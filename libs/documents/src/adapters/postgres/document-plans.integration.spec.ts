import { Sql } from '@counterfoil/database';
import {
  describeListPlans,
  planOf,
  type PlanNode,
  startTestContext,
  type TestContext,
} from '@counterfoil/test-harness';
import { type DocumentFilter, DocumentReader } from '../../application/ports/document.reader';
import { DocumentsModule } from '../../documents.module';
import { type GivenCompany, givenCompany } from '../../testing/given-company';
import { insertDocuments } from '../../testing/many-documents';
import { DOCUMENTS as LIST } from './document.list';
import { STATEMENT_FACTS } from './account-statement.sql';
import { BALANCE_OF } from './document.sql';

const DOCUMENTS = 50_000;
const CHANGES = DOCUMENTS / 2;
const SINCE = new Date('2026-01-01T00:00:00Z');
/**
 * The maximum of rows that one page may read: its own rows, and those of two buckets of changes, its own and
 * the last.
 */
const ROWS_OF_A_PAGE = 200 + 2 * 2 * 512;

interface Seen {
  readonly indexes: string[];
  readonly seqScansOf: string[];
  /** Number of rows in the largest sort. */
  readonly sorted: number;
  /** Number of document rows read. */
  readonly looked: number;
}

/** Captures each statement of a read, and runs it again with EXPLAIN. */
describe('with many documents', () => {
  let context: TestContext;
  let company: GivenCompany;

  beforeAll(async () => {
    context = await startTestContext([DocumentsModule]);
    company = await givenCompany(context);
    await insertDocuments(context.database, company, { count: DOCUMENTS, perChange: 2, since: SINCE });
    for (const name of ['A', 'B', 'C']) {
      const other = await givenCompany(context, name);
      await insertDocuments(context.database, other, { count: 5_000, perChange: 1, since: SINCE });
    }
    await context.database.vacuum();
  }, 240_000);
  afterAll(() => context.close());

  async function seenOf(
    read: (reader: DocumentReader, companyId: number) => Promise<unknown>,
  ): Promise<Seen> {
    const sent = jest.spyOn(Sql.prototype, 'rows');
    try {
      await read(context.get(DocumentReader), company.caller.companyId);
      const plans: PlanNode[] = [];
      for (const [sql, parameters] of sent.mock.calls) {
        plans.push(...(await planOf(context.database, sql, parameters)));
      }
      expect(plans.length).toBeGreaterThan(0);
      return seenIn(plans);
    } finally {
      sent.mockRestore();
    }
  }

  function seenIn(plans: readonly PlanNode[]): Seen {
    const rows = (plan: PlanNode) => plan['Actual Rows'] * plan['Actual Loops'];
    const scans = plans.filter((plan) => /Scan/.test(plan['Node Type']));
    return {
      indexes: scans.flatMap((plan) => plan['Index Name'] ?? []),
      seqScansOf: scans
        .filter((plan) => plan['Node Type'] === 'Seq Scan')
        .map((plan) => plan['Relation Name'] ?? ''),
      sorted: Math.max(
        0,
        ...plans
          .filter((plan) => /Sort/.test(plan['Node Type']))
          .flatMap(({ Plans = [] }) => Plans.map(rows)),
      ),
      looked: scans
        // Excludes bitmap index scans, because the heap scan above them counts the rows.
        .filter((plan) => plan['Relation Name'] === 'documents')
        .reduce(
          (sum, plan) => sum + rows(plan) + (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'],
          0,
        ),
    };
  }

  const positions: [string, number][] = [
    ['beginning', 0],
    ['middle', CHANGES / 2],
    ['end', CHANGES - 10],
  ];

  it.each(positions)(
    'a page of the feed at its %s reads its rows from an index without sorting',
    async (_, changeNumber) => {
      const seen = await seenOf((reader, companyId) =>
        reader.changedSince(companyId, {}, { changeNumber, documentId: 0 }, 200),
      );
      expect(seen.indexes).toContain('documents_feed');
      expect(seen.seqScansOf).not.toContain('documents');
      // A single row of totals may be sorted.
      expect(seen.sorted).toBeLessThanOrEqual(1);
      expect(seen.looked).toBeLessThanOrEqual(ROWS_OF_A_PAGE);
    },
  );

  it.each([
    ['before everything', '2000-01-01T00:00:00Z'],
    ['in the middle', new Date(SINCE.getTime() + CHANGES * 500).toISOString()],
    ['after everything', new Date(SINCE.getTime() + CHANGES * 2_000).toISOString()],
  ])('a feed that begins %s finds its position by reading one row', async (_, since) => {
    const seen = await seenOf((reader, companyId) => reader.positionAt(companyId, new Date(since)));
    expect(seen.indexes).toEqual(['documents_changed_at']);
    expect(seen.sorted).toBeLessThanOrEqual(1);
    expect(seen.looked).toBeLessThanOrEqual(1);
  });

  it('a statement of account reads the settlements of open and lately changed invoices alone', async () => {
    const { companyId } = company.caller;
    await context.database.query(
      `insert into document_settlements (company_id, settling_id, settled_id, kind, amount, created_at)
       select company_id, id + 1, id, 'ALLOCATION', 1, created_at from documents
        where company_id = $1 and type = 'TAX_INVOICE' order by id`,
      [companyId],
    );
    await context.database.vacuum('document_settlements');
    const to = '2026-12-31';
    const plans = await planOf(context.database, STATEMENT_FACTS, {
      ...{ companyId, entityId: company.entityId, currency: 'ILS', from: to, to, asOf: to },
    });
    const seen = seenIn(plans);
    expect(seen.seqScansOf).toEqual([]);
    const settlements = plans.filter((plan) => plan['Index Name'] === 'document_settlements_settled');
    // One of four documents is an invoice, and two of three are open.
    const read = settlements.reduce((sum, plan) => sum + plan['Actual Rows'] * plan['Actual Loops'], 0);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual((DOCUMENTS / 4) * (2 / 3) + 1);
  });

  it('the balance of a client is read from an index of open documents', async () => {
    // With the settlements of the test before.
    const plans = await planOf(context.database, BALANCE_OF, {
      companyId: company.caller.companyId,
      entityId: company.entityId,
    });
    const seen = seenIn(plans);
    expect(seen.indexes).toContain('documents_open_balance');
    expect(seen.indexes).toContain('documents_open_credits');
    expect(seen.seqScansOf).toEqual([]);
    expect(plans.map((plan) => plan['Node Type'])).toContain('Index Only Scan');
    // Only tax invoices count, one of four types, and two thirds of them are open.
    expect(seen.looked).toBeLessThanOrEqual(DOCUMENTS / 4);
  });

  describeListPlans({
    list: LIST,
    descending: [true],
    on: () => ({ database: context.database, scope: company.caller.companyId }),
    // Each type is counted in the index of the list's order. One of two statuses is rare.
    filters: {
      type: ['ORDER', DOCUMENTS / 2],
      entityId: [() => company.entityId, 2 * DOCUMENTS],
      status: ['CLOSED', DOCUMENTS],
      startDate: ['2100-01-01', 50],
      endDate: ['1990-01-01', 50],
      approvalNumberStatus: ['REFUSED', 1_000],
      overdueOn: ['2026-01-01', 1_000],
      search: ['port-4912', 100],
    },
  });

  const listings: [string, DocumentFilter, string][] = [
    ['everything', {}, 'documents_newest'],
    ['one type', { type: 'ORDER' }, 'documents_type'],
    ['one status', { status: 'CLOSED' }, 'documents_status'],
  ];

  it.each(listings)(
    'a page of the list of %s reads its rows from an index in order',
    async (_, filter, index) => {
      const seen = await seenOf((reader, companyId) =>
        reader.list(companyId, filter, { limit: 50, offset: 0 }),
      );
      expect(seen.indexes).toContain(index);
      expect(seen.seqScansOf).not.toContain('documents');
      expect(seen.sorted).toBeLessThanOrEqual(50);
    },
  );

  it('a page far from the beginning skips rows in the index, and its total counts within a bucket', async () => {
    const seen = await seenOf((reader, companyId) =>
      reader.list(companyId, {}, { limit: 50, offset: 40_000 }),
    );
    expect(seen.indexes).toContain('documents_newest');
    expect(seen.sorted).toBeLessThanOrEqual(50);
    expect(seen.looked).toBeLessThanOrEqual(40_050 + ROWS_OF_A_PAGE);
    const first = await seenOf((reader, companyId) => reader.list(companyId, {}, { limit: 50, offset: 0 }));
    expect(first.looked).toBeLessThanOrEqual(ROWS_OF_A_PAGE);
  });

  it.each([
    ['the end of an externalId', 'port-4912', 11],
    ['a number that is also in notes', '49123', 1],
    ['nothing', 'no such text', 0],
  ])('a search for %s reads only documents with parts of the term', async (_, search, count) => {
    let total = -1;
    const seen = await seenOf(async (reader, companyId) => {
      ({ total } = (await reader.list(companyId, { search }, { limit: 50, offset: 0 })).pagination);
    });
    expect(total).toBe(count);
    expect(seen.looked).toBeLessThanOrEqual(100);
  });

  it('the documents with a term are found in its index', async () => {
    const plan = await planOf(
      context.database,
      `select d.id from documents d
        where search_grams(d.company_id, d.search_text) @> search_grams($1, 'port-4912')`,
      [company.caller.companyId],
    );
    expect(plan.map((node) => node['Index Name'])).toContain('documents_search');
  });

  it('a feed with a search reads no other documents', async () => {
    const seen = await seenOf(async (reader, companyId) => {
      const found = await reader.changedSince(
        companyId,
        { search: 'port-4912' },
        { changeNumber: 0, documentId: 0 },
        200,
      );
      expect(found.documents).toHaveLength(11);
      expect(found.total).toBe(11);
    });
    expect(seen.looked).toBeLessThanOrEqual(100);
  });

  it('one document is found by each of its ids in an index', async () => {
    const [row] = await context.database.query<{ id: number; visible_id: string }>(
      'select id::int, visible_id from documents where company_id = $1 and number = 777',
      [company.caller.companyId],
    );
    for (const key of [{ id: row!.id }, { visibleId: row!.visible_id }, { externalId: 'import-777' }]) {
      const seen = await seenOf(async (reader, companyId) => {
        expect(await reader.find(companyId, key)).toMatchObject({ id: row!.id });
      });
      expect(seen.seqScansOf).not.toContain('documents');
      expect(seen.looked).toBeLessThanOrEqual(5);
    }
  });

  it('the links of one document are read from their indexes, also where a few have most credit notes', async () => {
    const { companyId } = company.caller;
    const rows = await context.database.query<{ id: number; isCredited: boolean }>(
      `with credited as (
         update documents d set refund_of = (select min(id) from documents where company_id = $1)
          where company_id = $1 and number % 2 = 0 and number > 48000 returning refund_of)
       select id::int, id in (select refund_of from credited) as "isCredited" from documents
        where company_id = $1 and number in (1, 777) order by id`,
      [companyId],
    );
    await context.database.vacuum('documents');
    for (const { id, isCredited } of rows) {
      const seen = await seenOf(async (reader) => {
        expect((await reader.find(companyId, { id }))?.creditedBy).toHaveLength(isCredited ? 200 : 0);
      });
      expect(seen.indexes).toEqual(
        expect.arrayContaining(['documents_refund_of', 'document_settlements_settled']),
      );
      expect(seen.seqScansOf).not.toContain('documents');
      expect(seen.looked).toBeLessThanOrEqual(isCredited ? 1_210 : 5);
    }
    expect(rows.map(({ isCredited }) => isCredited)).toEqual([true, false]);
  });
});
