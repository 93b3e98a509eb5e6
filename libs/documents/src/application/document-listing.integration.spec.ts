import { CreateParty } from '@counterfoil/parties';
import { startTestContext, type TestContext } from '@counterfoil/test-harness';
import type { DocumentHeader } from '../domain/document';
import { DocumentsModule } from '../documents.module';
import { type GivenCompany, givenCompany } from '../testing/given-company';
import { LifeCycle } from '../testing/life-cycle';
import { insertDocuments } from '../testing/many-documents';
import { type DocumentFilter, DocumentReader } from './ports/document.reader';

let context: TestContext;
beforeAll(async () => {
  context = await startTestContext([DocumentsModule]);
});
afterAll(() => context.close());

const list = (companyId: number, filter: DocumentFilter = {}, limit = 200, offset = 0) =>
  context.get(DocumentReader).list(companyId, filter, { limit, offset });

const newestFirst = (a: DocumentHeader, b: DocumentHeader) =>
  b.issueDate.localeCompare(a.issueDate) || b.id - a.id;

describe('the list of few documents', () => {
  let documents: LifeCycle;
  let all: DocumentHeader[];
  let hebrewId: number;
  let percentId: number;

  beforeAll(async () => {
    const company = await givenCompany(context);
    documents = new LifeCycle(context, company);
    hebrewId = await aClient(company, 'מאפיית הגליל בע״מ', '515222333');
    percentId = await aClient(company, '100% Cotton_Ltd \\ Sons', '520001112');
    const issueDate = (day: number) => ({ issueDate: `2026-03-${String(day).padStart(2, '0')}` });
    const invoice = await documents.issueOver(100, 'TAX_INVOICE', {
      ...issueDate(3),
      externalId: 'Order_A-7%',
    });
    await documents.issueOver(50, 'ORDER', { ...issueDate(1), entityId: hebrewId, notes: 'משלוח ליפו' });
    await documents.issueOver(0, 'QUOTE', { ...issueDate(3), entityId: percentId, notes: 'a\\b' });
    await documents.issueOver(70, 'TAX_INVOICE', { ...issueDate(2), notes: 'Straße; it\'s "quoted"' });
    await documents.receipt(30, { ...issueDate(4), allocations: [{ documentId: invoice.id, amount: 30 }] });
    await documents.close(
      await documents.issueOver(5, 'PROFORMA', { ...issueDate(4), externalId: 'orderXA' }),
    );
    await documents.cancel(await documents.receipt(8, issueDate(2)));
    for (let n = 0; n < 11; n++) await documents.issueOver(1, 'DELIVERY_NOTE', issueDate(5));
    await context.database.query(
      `update documents set tax_authority_approval_number = '987654321' where id = $1`,
      [invoice.id],
    );
    const { data } = await list(documents.companyId);
    all = [...data];
  });

  async function aClient({ caller }: GivenCompany, name: string, taxId: string): Promise<number> {
    const details = { name, taxId, type: 'COMPANY' as const };
    return (await context.get(CreateParty).execute(caller, 'client', { details, contact: null })).id;
  }

  it('orders by latest issue date, and then by latest issue', () => {
    expect(all).toHaveLength(18);
    expect(all).toEqual([...all].sort(newestFirst));
  });

  const filters: [string, DocumentFilter, (document: DocumentHeader) => boolean][] = [
    ['type', { type: 'TAX_INVOICE' }, ({ type }) => type === 'TAX_INVOICE'],
    ['an open status', { status: 'OPEN' }, ({ status }) => status === 'OPEN'],
    ['PARTIALLY_PAID', { status: 'PARTIALLY_PAID' }, ({ status }) => status === 'PARTIALLY_PAID'],
    ['CANCELLED', { status: 'CANCELLED' }, ({ cancelled }) => cancelled],
    ['CLOSED', { status: 'CLOSED' }, ({ status }) => status === 'CLOSED'],
    ['a start', { startDate: '2026-03-04' }, ({ issueDate }) => issueDate >= '2026-03-04'],
    ['an end', { endDate: '2026-03-02' }, ({ issueDate }) => issueDate <= '2026-03-02'],
    [
      'a day',
      { startDate: '2026-03-03', endDate: '2026-03-03' },
      ({ issueDate }) => issueDate === '2026-03-03',
    ],
    ['an end before its start', { startDate: '2026-03-03', endDate: '2026-03-02' }, () => false],
    [
      'all at once',
      {
        type: 'TAX_INVOICE',
        status: 'OPEN',
        startDate: '2026-03-01',
        endDate: '2026-03-31',
        search: 'STRASSE',
      },
      () => false,
    ],
    [
      'most at once',
      { type: 'TAX_INVOICE', status: 'OPEN', startDate: '2026-03-01', search: 'quoted' },
      ({ notes }) => notes?.includes('quoted') === true,
    ],
    ['an empty search', { search: '' }, () => true],
    ['a blank search', { search: ' ' }, () => true],
  ];

  it.each(filters)('by %s shows and counts the matching documents', async (_, filter, fits) => {
    const { data, pagination } = await list(documents.companyId, filter);
    const expected = all.filter(fits);
    expect(data).toMatchObject(expected);
    expect(data).toHaveLength(expected.length);
    expect(pagination.total).toBe(expected.length);
  });

  it('by entity shows the documents issued to it', async () => {
    expect((await list(documents.companyId, { entityId: hebrewId })).data.map(({ type }) => type)).toEqual([
      'ORDER',
    ]);
    expect((await list(documents.companyId, { entityId: 404_404 })).pagination.total).toBe(0);
  });

  it.each([
    ['order_a-7%', ['TAX_INVOICE 1']],
    ['ORDER_', ['TAX_INVOICE 1']],
    ['order', ['PROFORMA 1', 'TAX_INVOICE 1']],
    ['%', ['QUOTE 1', 'TAX_INVOICE 1']],
    ['7%', ['TAX_INVOICE 1']],
    ['0%', ['QUOTE 1']],
    ['\\', ['QUOTE 1']],
    ['a\\b', ['QUOTE 1']],
    ['\\\\', []],
    ['cotton_', ['QUOTE 1']],
    ['_', ['QUOTE 1', 'TAX_INVOICE 1']],
    ['מאפיית', ['ORDER 1']],
    ['גליל', ['ORDER 1']],
    ['ליפו', ['ORDER 1']],
    ['בע״מ', ['ORDER 1']],
    ['515222333', ['ORDER 1']],
    ['98765', ['TAX_INVOICE 1']],
    ["it's", ['TAX_INVOICE 2']],
    ['"QUOTED"', ['TAX_INVOICE 2']],
    ['straße', ['TAX_INVOICE 2']],
    ['11', ['DELIVERY_NOTE 11', 'QUOTE 1']],
    ["' or 1=1 --", []],
    ['nothing of the kind', []],
  ])('by the search %j finds it in numbers, ids, notes and names', async (search, expected) => {
    const { data, pagination } = await list(documents.companyId, { search });
    expect(data.map(({ type, number }) => `${type} ${number}`).sort()).toEqual(expected);
    expect(pagination.total).toBe(expected.length);
  });

  it('never finds documents of another company', async () => {
    const other = new LifeCycle(context, await givenCompany(context, 'Other'));
    await other.issueOver(10, 'TAX_INVOICE', { notes: 'STRASSE quoted', externalId: 'Order_A-7%' });
    for (const search of ['order', 'quoted', 'Client']) {
      const { data } = await list(other.companyId, { search });
      expect(data).toHaveLength(1);
      const mine = await list(documents.companyId, { search });
      expect(mine.data.map(({ id }) => id)).not.toContain(data[0]?.id);
    }
  });

  it('returns each document once for every window size', async () => {
    for (const limit of [1, 4, 5, 18, 19]) {
      const seen: number[] = [];
      for (let offset = 0; offset < 18; offset += limit) {
        const { data, pagination } = await list(documents.companyId, {}, limit, offset);
        seen.push(...data.map(({ id }) => id));
        expect(pagination).toMatchObject({ total: 18, hasMore: offset + limit < 18, limit, offset });
      }
      expect(seen).toEqual(all.map(({ id }) => id));
    }
    const past = await list(documents.companyId, {}, 50, Number.MAX_SAFE_INTEGER - 1);
    expect(past).toMatchObject({ data: [], pagination: { total: 18, hasMore: false } });
  });
});

describe('the list while documents are issued', () => {
  it('has rows and total from one snapshot, with filters too', async () => {
    const company = await givenCompany(context, 'Busy');
    const documents = new LifeCycle(context, company);
    const COUNT = 60;
    let left = COUNT;
    const issuing = Promise.all(
      Array.from({ length: COUNT }, (_, n) =>
        documents
          .issueOver(n + 1, n % 2 === 0 ? 'TAX_INVOICE' : 'ORDER', { notes: 'paper' })
          .then(() => left--),
      ),
    );
    const filters: DocumentFilter[] = [{}, { type: 'ORDER' }, { status: 'OPEN' }, { search: 'paper' }];
    const totals = filters.map(() => [0]);
    while (left > 0) {
      for (const [index, filter] of filters.entries()) {
        const { data, pagination } = await list(documents.companyId, filter);
        expect(data).toHaveLength(pagination.total);
        expect(pagination.total).toBeGreaterThanOrEqual(totals[index]!.at(-1)!);
        totals[index]!.push(pagination.total);
      }
    }
    await issuing;
    // The list was read between the first and the last of them.
    for (const seen of totals) expect(new Set(seen).size).toBeGreaterThan(3);
    expect((await list(documents.companyId)).pagination.total).toBe(COUNT);
  }, 30_000);
});

describe('the list of many documents', () => {
  it('is exact far from its beginning, and its total after many changes', async () => {
    const company = await givenCompany(context, 'Large');
    await insertDocuments(context.database, company, {
      count: 20_000,
      perChange: 3,
      since: new Date('2026-01-01'),
    });
    const { companyId } = company.caller;
    const ids = await context.database.query<{ id: number }>(
      'select id::int from documents where company_id = $1 order by issue_date desc, id desc',
      [companyId],
    );
    for (const offset of [0, 9_950, 19_800, 19_990, 20_000]) {
      const { data, pagination } = await list(companyId, {}, 50, offset);
      expect(data.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 50).map(({ id }) => id));
      expect(pagination.total).toBe(20_000);
    }
    const documents = new LifeCycle(context, company);
    const open = (await list(companyId, { type: 'TAX_INVOICE', status: 'OPEN' }, 100)).data;
    await Promise.all(open.map((document) => documents.close(document)));
    expect((await list(companyId)).pagination.total).toBe(20_000);
    const [counted] = await context.database.query<{ count: number }>(
      `select count(*)::int from documents where company_id = $1 and status = 'CLOSED'`,
      [companyId],
    );
    expect((await list(companyId, { status: 'CLOSED' })).pagination.total).toBe(counted?.count);
  }, 60_000);
});
