import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { Counterfoil } from './client.ts';
import { CounterfoilError, isCounterfoilError } from './errors.ts';
import type { IgnoredFields } from './request.ts';
import { AnsweringServer, hangUp, json, refusal } from './testing/answering-server.ts';

const VENDOR = { name: 'Acme Ltd', taxId: '514000000', type: 'COMPANY' } as const;
const CREATED = { success: true, vendorId: 1, visibleId: 'v-1' };
const EMPTY = { data: [], pagination: { total: 0, limit: 50, offset: 0, hasMore: false } };

let server: AnsweringServer;
let client: Counterfoil;

beforeAll(async () => {
  server = await AnsweringServer.start();
  client = new Counterfoil({ apiKey: 'sk_test', baseUrl: `${server.url}/books/` });
});

afterAll(() => server.close());

/** The error of a call; fails if there is none. */
async function errorOf(call: PromiseLike<unknown>): Promise<CounterfoilError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CounterfoilError) return error;
  throw new Error(`not refused with a CounterfoilError, but: ${String(error)}`);
}

const keys = () => server.received.map(({ headers }) => headers['idempotency-key']);

describe('a client of a session', () => {
  it('names the session, and sends no key: the browser adds the cookie', async () => {
    server.answerWith(json(200, EMPTY));
    await new Counterfoil({ session: 12, baseUrl: server.url }).vendors.list();
    const [sent] = server.received;
    expect(sent?.headers).toMatchObject({ 'counterfoil-session': '12' });
    expect(sent?.headers).not.toHaveProperty('authorization');
  });

  it('takes a key or a session, and no other text as its id', () => {
    const options = { baseUrl: server.url };
    expect(() => new Counterfoil({ ...options, apiKey: 'sk_test', session: 12 })).toThrow('not both');
    expect(() => new Counterfoil({ ...options, session: '12\r\nx: y' })).toThrow('the id of a session');
    expect(() => new Counterfoil(options)).toThrow('apiKey');
  });
});

describe('a request', () => {
  it('carries the key, and its body as JSON, under the prefix of the base URL', async () => {
    server.answerWith(json(201, CREATED));
    expect(await client.vendors.create(VENDOR)).toEqual(CREATED);
    const [sent] = server.received;
    expect(sent).toMatchObject({ method: 'POST', path: '/books/vendors/create' });
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sk_test',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[\da-f]{32}$/),
    });
    expect(JSON.parse(sent?.body ?? '')).toEqual(VENDOR);
  });

  it('encodes ids and queries, and leaves out what is not set', async () => {
    server.answerWith(json(200, {}));
    await client.documents.getByExternalId('a/b ?ä');
    await client.vendors.list({ search: 'א & b', hasContacts: false, email: undefined as never });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/books/documents/by-external-id/a%2Fb%20%3F%C3%A4',
      '/books/vendors',
    ]);
    expect([...(server.received[1]?.query ?? [])]).toEqual([
      ['search', 'א & b'],
      ['hasContacts', 'false'],
    ]);
    expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it.each([[''], ['.'], ['..'], [undefined], [null], [{}]])(
    'refuses the id %p without sending it',
    async (id) => {
      server.answerWith(json(200, {}));
      await expect(client.files.delete(id as string)).rejects.toThrow(TypeError);
      await expect(client.files.content(id as string)).rejects.toThrow(TypeError);
      expect(server.received).toEqual([]);
    },
  );

  it('uses a key of the caller, and refuses one where it has no effect', async () => {
    server.answerWith(json(201, CREATED));
    await client.vendors.create(VENDOR, { idempotencyKey: 'order-1' });
    expect(keys()).toEqual(['order-1']);
    const call = client.webhooks.test('we_1', {}, { idempotencyKey: 'order-1' });
    await expect(call).rejects.toThrow(/takes no idempotencyKey/);
    expect(server.received).toHaveLength(1);
  });

  it.each(['', 'א', 'order\n1', 'x'.repeat(256), 7])(
    'refuses the idempotencyKey %j without sending it',
    async (idempotencyKey) => {
      server.answerWith(json(201, CREATED));
      const options = { idempotencyKey: idempotencyKey as string };
      await expect(client.vendors.create(VENDOR, options)).rejects.toThrow(TypeError);
      expect(server.received).toEqual([]);
    },
  );

  it('carries another key each time, also on a page that came over plain HTTP', async () => {
    server.answerWith(json(201, CREATED));
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    await client.vendors.create(VENDOR);
    await client.vendors.create(VENDOR);
    Reflect.deleteProperty(crypto, 'randomUUID');
    expect(new Set(keys()).size).toBe(2);
  });

  it('goes through a fetch that is given', async () => {
    const asked: string[] = [];
    const own: typeof fetch = (url) => {
      asked.push(new Request(url).url);
      return Promise.resolve(Response.json(EMPTY));
    };
    const other = new Counterfoil({ apiKey: 'k', baseUrl: 'https://books.example.com', fetch: own });
    expect(await other.vendors.list()).toEqual(EMPTY);
    expect(asked).toEqual(['https://books.example.com/vendors']);
  });

  it.each([
    [{ apiKey: '' }, /apiKey/],
    [{ apiKey: 'sk_test\n' }, /apiKey/],
    [{ apiKey: undefined }, /apiKey/],
    [{ baseUrl: 'books.example.com' }, /baseUrl/],
    [{ baseUrl: 'ftp://books.example.com' }, /baseUrl/],
    [{ baseUrl: 'https://user:pass@books.example.com' }, /baseUrl/],
    [{ baseUrl: undefined }, /baseUrl/],
    [{ timeout: 0 }, /timeout/],
    [{ timeout: Infinity }, /timeout/],
    [{ timeout: '5' }, /timeout/],
    [{ maxRetries: -1 }, /maxRetries/],
    [{ maxRetries: NaN }, /maxRetries/],
  ])('is not made by a client with %p', (option, message) => {
    const options = { apiKey: 'k', baseUrl: 'http://127.0.0.1', ...option };
    expect(() => new Counterfoil(options as never)).toThrow(message);
  });
});

describe('an error', () => {
  it('has the code, the status, the request id and the fields of the answer', async () => {
    const details = [{ field: 'taxId', problem: 'must have 9 digits' }];
    const body = {
      success: false,
      code: 'VALIDATION_FAILED',
      error: 'taxId must …',
      requestId: 'req_7',
      details,
    };
    server.answerWith(json(400, body));
    const error = await errorOf(client.vendors.create(VENDOR));
    expect(error).toMatchObject({
      ...{ name: 'CounterfoilError', code: 'VALIDATION_FAILED', status: 400, message: 'taxId must …' },
      ...{ requestId: 'req_7', fields: details, field: 'taxId', retryAfterSeconds: undefined },
    });
    expect(server.received).toHaveLength(1);
  });

  it('is narrowed by its code', async () => {
    server.answerWith(refusal(409, 'INSUFFICIENT_STOCK'));
    const error: unknown = await errorOf(client.stock.list());
    expect(isCounterfoilError(error, 'INSUFFICIENT_STOCK', 'NOT_FOUND')).toBe(true);
    expect(isCounterfoilError(error, 'NOT_FOUND')).toBe(false);
    expect(isCounterfoilError(error)).toBe(true);
    expect(isCounterfoilError(new Error('INSUFFICIENT_STOCK'))).toBe(false);
    if (isCounterfoilError(error, 'INSUFFICIENT_STOCK')) {
      const code: 'INSUFFICIENT_STOCK' = error.code;
      expect(code).toBe('INSUFFICIENT_STOCK');
    }
  });

  it.each([
    ['a page of a proxy', 404, '<html>nginx</html>', {}],
    ['JSON of something else', 404, '{"message":"no such host"}', {}],
    ['null', 500, 'null', {}],
    ['a success without JSON', 200, '<html>hello</html>', {}],
    ['a redirect', 301, '', { location: '/elsewhere' }],
  ])('tells %s apart from the service', async (_, status, text, headers) => {
    server.answerWith((response) => void response.writeHead(status, headers).end(text));
    const error = await errorOf(client.vendors.list());
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status, fields: [] });
    expect(server.received).toHaveLength(1);
  });

  it('does not contain the key', async () => {
    const refused = new Counterfoil({ apiKey: 'sk_secret', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const error = await errorOf(refused.company.get());
    expect(error.code).toBe('CONNECTION_FAILED');
    expect(inspect([error, refused], { depth: 10, showHidden: true })).not.toContain('sk_secret');
  });
});

describe('an attempt that fails', () => {
  it.each([
    ['a broken connection', hangUp],
    ['an outage', refusal(503, 'UNAVAILABLE')],
    ['a limit', refusal(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['the first call that still runs', refusal(409, 'REQUEST_IN_PROGRESS', { 'retry-after': '0' })],
    ['a proxy without its service', json(502, 'bad gateway')],
  ])('is repeated under the same key after %s', async (_, failure) => {
    server.answerWith(failure, failure, json(201, CREATED));
    expect(await client.vendors.create(VENDOR)).toEqual(CREATED);
    expect(server.received).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
    // 500 ms and 1 s, each shortened by half at most.
    const [first, second, third] = server.received.map(({ at }) => at) as [number, number, number];
    expect(second - first).toBeGreaterThan(240);
    expect(third - second).toBeGreaterThan(490);
  });

  it('is repeated after a part of the answer only', async () => {
    const half = (response: ServerResponse) => {
      response.writeHead(201, { 'content-length': '100' }).write('{"success":');
      setTimeout(() => response.destroy(), 20);
    };
    server.answerWith(half, json(201, CREATED));
    expect(await client.vendors.create(VENDOR)).toEqual(CREATED);
    expect(server.received).toHaveLength(2);
  });

  it('waits as long as Retry-After says', async () => {
    server.answerWith(refusal(429, 'RATE_LIMITED', { 'retry-after': '1' }), json(200, EMPTY));
    await client.vendors.list();
    const [first, second] = server.received.map(({ at }) => at) as [number, number];
    expect(second - first).toBeGreaterThan(1_000);
  });

  it('waits until the date of Retry-After', async () => {
    const date = new Date(Date.now() + 2_000).toUTCString();
    server.answerWith(refusal(503, 'UNAVAILABLE', { 'retry-after': date }), json(200, EMPTY));
    await client.vendors.list();
    const [first, second] = server.received.map(({ at }) => at) as [number, number];
    // A date has no fractions of seconds.
    expect(second - first).toBeGreaterThan(1_000);
  });

  it('is reported at once if Retry-After is far away', async () => {
    server.answerWith(refusal(429, 'RATE_LIMITED', { 'retry-after': '3600' }));
    const error = await errorOf(client.company.get());
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 3600 });
    expect(server.received).toHaveLength(1);
  });

  it('is repeated as often as the options say, and no more', async () => {
    server.answerWith(refusal(503, 'UNAVAILABLE'));
    expect(await errorOf(client.company.get({ maxRetries: 1 }))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(server.received).toHaveLength(2);
    expect(await errorOf(client.company.get({ maxRetries: 0 }))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(server.received).toHaveLength(3);
  });

  it('names the fields that the service did not know', async () => {
    const ignored: IgnoredFields[] = [];
    const { url: baseUrl } = server;
    const told = new Counterfoil({ apiKey: 'sk_test', baseUrl, onIgnoredFields: (one) => ignored.push(one) });
    server.answerWith(json(201, CREATED, { 'ignored-fields': 'itms, items[0].qty' }), json(200, EMPTY));
    await told.vendors.create(VENDOR);
    await told.vendors.list();
    expect(ignored).toEqual([{ method: 'POST', path: '/vendors/create', fields: ['itms', 'items[0].qty'] }]);
  });

  it('rejects with an error of the callback for such fields, without another attempt', async () => {
    const onIgnoredFields = () => {
      throw new Error('misspelt');
    };
    const strict = new Counterfoil({ apiKey: 'sk_test', baseUrl: server.url, onIgnoredFields });
    server.answerWith(json(201, CREATED, { 'ignored-fields': 'itms' }));
    await expect(strict.vendors.create(VENDOR)).rejects.toThrow('misspelt');
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['INTERNAL', 500],
    ['INVALID_STATE', 409],
    ['IDEMPOTENCY_KEY_REUSED', 409],
    ['FETCH_FAILED', 502],
  ])('is not repeated after %s', async (code, status) => {
    server.answerWith(refusal(status, code));
    expect(await errorOf(client.vendors.create(VENDOR))).toMatchObject({ code, status });
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['creates a key', () => client.apiKeys.create({ role: 'viewer', userName: 'Noa' } as never)],
    ['sends a test event', () => client.webhooks.test('we_1')],
    ['replays a delivery', () => client.webhooks.deliveries.replay('we_1', 'd_1')],
    ['changes a secret', () => client.webhooks.rotateSecret('we_1')],
  ])('is never repeated by a call that %s, which takes no key', async (_, call) => {
    for (const failure of [hangUp, refusal(503, 'UNAVAILABLE'), refusal(429, 'RATE_LIMITED')]) {
      server.answerWith(failure);
      await errorOf(call());
      expect(server.received).toHaveLength(1);
      expect(keys()).toEqual([undefined]);
    }
  });
});

describe('a call that takes too long', () => {
  const silent = () => undefined;

  it('times out, and is repeated where that is safe', async () => {
    server.answerWith(silent, json(201, CREATED));
    expect(await client.vendors.create(VENDOR, { timeout: 150 })).toEqual(CREATED);
    expect(server.received).toHaveLength(2);
    server.answerWith(silent);
    const error = await errorOf(client.vendors.create(VENDOR, { timeout: 100, maxRetries: 0 }));
    expect(error).toMatchObject({ code: 'TIMED_OUT', status: undefined });
  });

  it('counts the time of the whole answer', async () => {
    server.answerWith((response) => void response.writeHead(200).write('{'));
    const error = await errorOf(client.company.get({ timeout: 100, maxRetries: 0 }));
    expect(error.code).toBe('TIMED_OUT');
  });
});

describe('an AbortSignal', () => {
  const reason = new Error('the user left');

  it('ends a request, with its reason', async () => {
    const abort = new AbortController();
    server.answerWith(() => abort.abort(reason));
    await expect(client.vendors.create(VENDOR, { signal: abort.signal })).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  it('ends the wait for another attempt', async () => {
    const abort = new AbortController();
    server.answerWith((response, request) => {
      refusal(429, 'RATE_LIMITED', { 'retry-after': '30' })(response, request);
      setTimeout(() => abort.abort(reason), 50);
    });
    const started = performance.now();
    await expect(client.company.get({ signal: abort.signal })).rejects.toBe(reason);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('gets one listener from any number of calls, because Node warns of a leak from eleven on', async () => {
    const abort = new AbortController();
    const { signal } = abort;
    const listens = jest.spyOn(signal, 'addEventListener');
    server.answerWith(json(200, {}));
    const calls = () => Array.from({ length: 20 }, () => client.company.get({ signal }));
    await Promise.all(calls());
    server.answerWith(() => abort.abort(reason));
    const ends = await Promise.allSettled(calls());
    expect(ends.map((end) => end.status === 'rejected' && end.reason === reason)).toEqual(
      ends.map(() => true),
    );
    expect(listens).toHaveBeenCalledTimes(1);
  });

  it('prevents a request that has not begun', async () => {
    server.answerWith(json(200, {}));
    const list = client.vendors.list({}, { signal: AbortSignal.abort(reason) });
    await expect(list.toArray()).rejects.toBe(reason);
    expect(server.received).toEqual([]);
  });
});
