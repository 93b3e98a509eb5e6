import { Counterfoil } from './client.ts';
import { AnsweringServer, type Answerer, json } from './testing/answering-server.ts';

let server: AnsweringServer;
let client: Counterfoil;

beforeAll(async () => {
  server = await AnsweringServer.start();
  client = new Counterfoil({ apiKey: 'sk_test', baseUrl: server.url });
});

afterAll(() => server.close());

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
const idsOf = (found: readonly object[]) => found.map((row) => (row as { id: number }).id);
const windows = () => server.received.map(({ query }) => Object.fromEntries(query));

/** Answers like a list of the service with so many rows: contract §2.1 to §2.3. */
function paged(count: number, { uncounted = false } = {}): Answerer {
  return (response, request) => {
    const asked = (name: string) => (request.query.has(name) ? Number(request.query.get(name)) : undefined);
    const limit = Math.min(asked('pageSize') ?? asked('limit') ?? 50, 200);
    const offset = asked('offset') ?? ((asked('page') ?? 1) - 1) * limit;
    const data = rows(count).slice(offset, offset + limit);
    const total = uncounted ? data.length : count;
    const pagination = { total, limit, pageSize: limit, offset, hasMore: offset + limit < total };
    json(200, { data, pagination })(response, request);
  };
}

describe('a paged list', () => {
  it('is one page when it is awaited, as the service answers it', async () => {
    server.answerWith(paged(120));
    const list = client.vendors.list({ page: 2 });
    const page = await list;
    expect(idsOf(page.data)).toEqual(idsOf(rows(120)).slice(50, 100));
    expect(page.pagination).toMatchObject({ total: 120, offset: 50, hasMore: true });
    expect(await list).toBe(page);
    expect(windows()).toEqual([{ page: '2' }]);
  });

  it.each([0, 1, 199, 200, 201, 400, 450])('is all of its %p rows when it is iterated', async (count) => {
    server.answerWith(paged(count));
    const found: object[] = [];
    for await (const vendor of client.vendors.list()) found.push(vendor);
    expect(idsOf(found)).toEqual(idsOf(rows(count)));
    // `hasMore` spares the call behind a last page that is full.
    expect(windows()).toEqual(
      Array.from({ length: Math.max(1, Math.ceil(count / 200)) }, (_, index) =>
        index === 0 ? { limit: '200' } : { limit: '200', offset: `${index * 200}` },
      ),
    );
  });

  it.each([
    [{ limit: 7 }, 1],
    [{ pageSize: 7, limit: 3 }, 1],
    [{ limit: 1_000 }, 1],
    [{ limit: 10, page: 3 }, 21],
    [{ limit: 10, offset: 45, page: 9 }, 46],
  ])('keeps the window %p, and goes on from there', async (query, first) => {
    server.answerWith(paged(300));
    const found = await client.vendors.list({ ...query, search: 'acme' }).toArray();
    expect(idsOf(found)).toEqual(idsOf(rows(300)).slice(first - 1));
    expect(windows().every(({ search }) => search === 'acme')).toBe(true);
  });

  it('is read page by page, and no further than it is iterated', async () => {
    server.answerWith(paged(1_000));
    const sizes: number[] = [];
    for await (const page of client.products.list({ limit: 100 }).pages()) {
      sizes.push(page.data.length);
      if (sizes.length === 3) break;
    }
    expect(sizes).toEqual([100, 100, 100]);
    expect(server.received).toHaveLength(3);
  });

  it('sends nothing before it is used', async () => {
    server.answerWith(paged(1));
    client.vendors.list();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.received).toEqual([]);
  });

  it('cannot be mistaken for a sweep, which would repeat its first batch for ever', () => {
    for (const query of [{ updatedSince: '2026-01-01' }, { cursor: 'abc' }])
      expect(() => client.documents.list(query as never)).toThrow(/documents\.changes/);
  });
});

describe('an uncounted list', () => {
  it.each([
    [0, 1],
    [199, 1],
    [200, 2],
    [450, 3],
  ])('is all of its %p rows, though total and hasMore count a page only', async (count, calls) => {
    server.answerWith(paged(count, { uncounted: true }));
    for (const list of [client.gateway.paymentPages.list(), client.gateway.recurringPayments.list()]) {
      server.received = [];
      expect(idsOf(await list.toArray())).toEqual(idsOf(rows(count)));
      expect(server.received).toHaveLength(calls);
    }
  });
});

describe('a whole list', () => {
  it('is read in one call, whatever it contains', async () => {
    const whole = {
      total: 450,
      limit: 450,
      pageSize: 450,
      offset: 0,
      page: 1,
      totalPages: 1,
      hasMore: false,
    };
    server.answerWith(json(200, { data: rows(450), pagination: whole }));
    expect(await client.files.list().toArray()).toHaveLength(450);
    expect(await client.products.serials(7).toArray()).toHaveLength(450);
    expect(await client.purchases.list({ vendorId: 3 }).toArray()).toHaveLength(450);
    expect(server.received.map(({ path, query }) => `${path}?${query.toString()}`)).toEqual([
      '/files?',
      '/products/id/7/serials?',
      '/purchase?vendorId=3',
    ]);
  });
});
