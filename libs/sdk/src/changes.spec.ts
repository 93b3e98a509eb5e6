import { Counterfoil } from './client.ts';
import { AnsweringServer, type Answerer, json, refusal } from './testing/answering-server.ts';

let server: AnsweringServer;
let client: Counterfoil;

beforeAll(async () => {
  server = await AnsweringServer.start();
  client = new Counterfoil({ apiKey: 'sk_test', baseUrl: server.url });
});

afterAll(() => server.close());

/** Answers like a feed of so many documents: contract §10. A cursor is the number of the last row. */
function feed(count: number): Answerer {
  return (response, request) => {
    const limit = Number(request.query.get('limit'));
    const cursor = request.query.get('cursor');
    const first = Number(cursor ?? 0);
    const last = Math.min(first + limit, count);
    const data = Array.from({ length: last - first }, (_, index) => ({
      visibleId: `doc_${first + index + 1}`,
    }));
    const nextCursor = data.length > 0 ? String(last) : cursor;
    json(200, { data, total: count - first, pagination: {}, nextCursor, hasMore: last < count })(
      response,
      request,
    );
  };
}

type Options = Parameters<Counterfoil['documents']['changes']>[0];

async function swept(options: Options): Promise<{ id: string; checkpoint: string }[]> {
  const found: { id: string; checkpoint: string }[] = [];
  for await (const { document, checkpoint } of client.documents.changes(options))
    found.push({ id: document.visibleId, checkpoint });
  return found;
}

const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `doc_${from + at}`);
const queries = () => server.received.map(({ query }) => Object.fromEntries(query));

describe('a sweep of the change feed', () => {
  it.each([0, 1, 9, 10, 11, 20, 25])('yields each of %p changes once, in their order', async (count) => {
    server.answerWith(feed(count));
    expect((await swept({ limit: 10 })).map(({ id }) => id)).toEqual(ids(1, count));
    expect(queries()[0]).toEqual({ limit: '10', updatedSince: '1970-01-01' });
    expect(server.received).toHaveLength(Math.max(1, Math.ceil(count / 10)));
  });

  it('skips no change, whichever checkpoint it is resumed from', async () => {
    server.answerWith(feed(25));
    for (const [index, { checkpoint }] of (await swept({ limit: 10 })).entries()) {
      const resumed = (await swept({ limit: 10, checkpoint })).map(({ id }) => id);
      // Nothing behind the document is missing; at most the batch before it comes again.
      expect(resumed).toEqual(ids(26 - resumed.length, 25));
      expect(resumed.length).toBeGreaterThanOrEqual(24 - index);
      expect(resumed.length).toBeLessThanOrEqual(24 - index + 10);
    }
  });

  it('finds later changes from its last checkpoint on', async () => {
    server.answerWith(feed(25));
    const checkpoint = (await swept({})).at(-1)?.checkpoint;
    expect(await swept({ checkpoint })).toEqual([]);
    server.answerWith(feed(28));
    expect((await swept({ checkpoint })).map(({ id }) => id)).toEqual(ids(26, 28));
  });

  it('begins at a time, and passes filters on with every batch', async () => {
    server.answerWith(feed(300));
    await swept({ since: new Date('2026-01-02T03:04:05.006Z'), type: 'TAX_INVOICE', checkpoint: null });
    expect(queries()).toEqual([
      { limit: '200', type: 'TAX_INVOICE', updatedSince: '2026-01-02T03:04:05.006Z' },
      { limit: '200', type: 'TAX_INVOICE', cursor: '200' },
    ]);
  });

  it.each(['', '200', 'cursor', 'doc_1'])(
    'refuses the checkpoint %p instead of beginning anew',
    async (checkpoint) => {
      server.answerWith(feed(1));
      await expect(swept({ checkpoint })).rejects.toThrow(/checkpoint must be one/);
      expect(server.received).toEqual([]);
    },
  );

  it('reports a cursor that the service refuses', async () => {
    server.answerWith(refusal(400, 'INVALID_CURSOR'));
    await expect(swept({ checkpoint: 'cursor:other' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
