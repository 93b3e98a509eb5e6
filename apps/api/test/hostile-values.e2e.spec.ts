import { gzipSync } from 'node:zlib';
import { type TestService, DEMO_KEY, HOSTILE_TEXTS, startApiService } from '@counterfoil/test-harness';
import { API_ROUTES, examplePath } from './api-routes';
import { type Company, furnish } from './furnished-company';
import { HOSTILE_BODIES, HOSTILE_HEADER_VALUES, UNSTORABLE_LITERALS } from './hostile-texts';
import { type Answer, closeConnections, exchange, type Sent } from './http-exchange';
import { STORED_TEXTS, type StoredText } from './stored-texts';
import type { Description } from './tenancy-cases';
import { MIB } from './wire-values';

const PLACE = '@@here@@';

/**
 * Returns every n-th value, so that each position gets some values, and each value occurs in many positions.
 */
const shareOf = <T>(values: readonly T[], place: number, places: number): T[] =>
  values.filter((_, index) => index % places === place % places);

let service: TestService;
let ours: Company;
let description: Description;

const send = (sent: Sent): Promise<Answer> => exchange(service.url, sent);
const read = async <T>(path: string): Promise<T> =>
  JSON.parse((await send({ method: 'GET', path })).text) as T;

beforeAll(async () => {
  service = await startApiService({
    LOG_LEVEL: 'warn',
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  });
  ours = await furnish(service.url, DEMO_KEY);
  description = await read<Description>('/openapi.json');
});

/** Asserts that no request of this file caused an internal error or stopped the service. */
afterAll(async () => {
  try {
    expect((await send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
    const faults = service
      .logOf('api')
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    expect(faults).toEqual([]);
  } finally {
    closeConnections();
    await service.stop();
  }
});

/**
 * Asserts that the response to a hostile request has one of `statuses`, and that no part of the request became a
 * header of it.
 */
function expectSane(sent: string, { status, headers }: Answer, statuses: readonly number[]): void {
  expect({ sent, status, isExpected: statuses.includes(status) }).toEqual({ sent, status, isExpected: true });
  expect(headers).not.toHaveProperty('x-evil');
}

describe('a text', () => {
  async function storeAndRead(stored: StoredText, text: string): Promise<unknown> {
    const { method, path, body, readAt, pick } = stored;
    const answer = await send({ method, path: path(ours), body: JSON.stringify(body(ours, text)) });
    expectSane(text, answer, [200, 201, 400, 409]);
    if (answer.status >= 400) return null;
    const made = JSON.parse(answer.text) as Record<string, unknown>;
    return pick(await read(readAt(ours, made)), made);
  }

  it.each(STORED_TEXTS)('$what is stored unchanged, or refused', async (stored) => {
    const kept: string[] = [];
    const texts = shareOf(HOSTILE_TEXTS, STORED_TEXTS.indexOf(stored), 3);
    for (const text of texts) {
      const found = await storeAndRead(stored, text);
      if (found === null) continue;
      expect({ text, found }).toEqual({ text, found: text });
      kept.push(text);
    }
    // Most of the texts are accepted.
    expect(kept.length).toBeGreaterThan(texts.length * 0.8);
  });

  it.each(STORED_TEXTS)('$what that cannot be stored is refused', async ({ method, path, body }) => {
    for (const literal of UNSTORABLE_LITERALS) {
      const sent = JSON.stringify(body(ours, PLACE)).replace(PLACE, () => literal);
      expectSane(literal, await send({ method, path: path(ours), body: sent }), [400]);
    }
  });
});

describe('a page', () => {
  const tagsOf = (page: string): string[] => page.match(/<[^>]*>/g) ?? [];
  const titled = (tags: readonly string[]) => tags.map((tag) => tag.replace(/ (dir|lang)="\w+"/g, ''));

  it('of a document has the same markup for all texts', async () => {
    const pageOf = async (text: string): Promise<Answer> => {
      await send({ method: 'PUT', path: '/company', body: JSON.stringify({ name: text }) });
      const body = JSON.stringify({
        type: 'ORDER',
        entityId: ours.entityId,
        items: [{ description: text, quantity: 1, unitPrice: 1 }],
        notes: text,
        externalId: text,
      });
      return send({ method: 'POST', path: '/documents/preview/html', body });
    };
    const plain = titled(tagsOf((await pageOf('plain')).text));
    expect(plain.length).toBeGreaterThan(20);
    for (const text of HOSTILE_TEXTS) {
      const answer = await pageOf(text);
      expectSane(text, answer, [200]);
      expect({ text, tags: titled(tagsOf(answer.text)) }).toEqual({ text, tags: plain });
    }
  });

  it('for paying has the same markup for all texts', async () => {
    const pageOf = async (text: string): Promise<string> => {
      const body = JSON.stringify({ amount: 10, description: text });
      const made = await send({ method: 'POST', path: '/gateway/payments/payment-pages', body });
      expectSane(text, made, [201]);
      const { url } = JSON.parse(made.text) as { url: string };
      const { pathname } = new URL(url);
      const answer = await send({ method: 'GET', path: pathname, headers: { authorization: null } });
      expectSane(text, answer, [200]);
      // Each page has a random key, so it is replaced before comparing.
      return answer.text.replaceAll(pathname.split('/').at(-1) ?? '', 'key');
    };
    // The labels are in attributes, in the language of the text.
    const [english, hebrew] = [tagsOf(await pageOf('plain')), tagsOf(await pageOf('רגיל'))].map(titled);
    for (const text of HOSTILE_TEXTS) {
      const tags = titled(tagsOf(await pageOf(text)));
      expect({ text, tags }).toEqual({ text, tags: /[א-ת]/.test(text) ? hebrew : english });
    }
  });
});

describe('every route', () => {
  const KEYED = API_ROUTES.filter(({ needs }) => needs !== null);

  it('answers an invalid path as an error or as unknown', async () => {
    const routes = API_ROUTES.filter((one) => one.path.includes('{'));
    for (const [place, { method, path }] of routes.entries()) {
      for (const text of shareOf(HOSTILE_TEXTS, place, 4)) {
        const at = path.replace(/\{\w+\}/g, () => encodeURIComponent(text));
        const body = method === 'POST' || method === 'PUT' ? '{}' : undefined;
        const answer = await send({ method, path: at, body });
        // Some texts have become external ids, and two routes return `null` for missing records.
        const mayBeFound = path.includes('by-external-id') || answer.text === 'null';
        expectSane(`${method} ${at}`, answer, mayBeFound ? [200, 404] : [400, 404, 405]);
      }
    }
  });

  it('answers an invalid query as an error or without results', async () => {
    const reads = Object.entries(description.paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => ({ path, name })),
    );
    expect(reads.length).toBeGreaterThan(60);
    for (const [place, { path, name }] of reads.entries()) {
      // One variant for each text: as a string, as a list, or as an object, as some parsers would interpret
      // them.
      for (const [number, text] of shareOf(HOSTILE_TEXTS, place, 5).entries()) {
        const key = [name, `${name}[]`, `${name}[__proto__]`, `${name}[$ne]`][number % 4] ?? name;
        const at = `${examplePath(path)}?${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
        expectSane(`GET ${at}`, await send({ method: 'GET', path: at }), [200, 400, 404]);
      }
    }
  });

  it('refuses malicious bodies', async () => {
    const company = await read('/company');
    for (const { method, path } of KEYED.filter((one) => one.method === 'POST' || one.method === 'PUT')) {
      for (const body of HOSTILE_BODIES) {
        const answer = await send({ method, path: examplePath(path), body });
        expectSane(`${method} ${path} ${body.slice(0, 40)}`, answer, [400, 404, 415]);
      }
    }
    expect(await read('/company')).toEqual(company);
  });

  it('does not decompress a body', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
    for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
      for (const { method, path } of KEYED.filter((one) => one.method === 'POST' || one.method === 'PUT')) {
        const headers = { 'content-encoding': encoding };
        const answer = await send({ method, path: examplePath(path), headers, body: bomb });
        expectSane(`${method} ${path} ${encoding}`, answer, [400, 404, 415]);
      }
    }
  });

  it('is not affected by invalid headers', async () => {
    const names = [
      ...[
        'accept',
        'accept-encoding',
        'accept-language',
        'user-agent',
        'referer',
        'origin',
        'cookie',
        'range',
      ],
      ...[
        'if-none-match',
        'if-match',
        'if-modified-since',
        'x-forwarded-for',
        'x-forwarded-host',
        'forwarded',
      ],
      ...[
        'x-forwarded-proto',
        'x-http-method-override',
        'x-original-url',
        'x-request-id',
        'idempotency-key',
        'te',
      ],
    ];
    const paths = [
      '/company',
      '/documents?limit=1',
      `/files/${ours.fileId}/content`,
      '/docs',
      '/openapi.json',
    ];
    let turn = 0;
    for (const name of names) {
      for (const value of HOSTILE_HEADER_VALUES) {
        const path = paths[(turn += 1) % paths.length]!;
        const answer = await send({ method: 'GET', path, headers: { [name]: value } });
        const sent = `${path} ${name}: ${value.slice(0, 40)}`;
        // The demo key is refused for requests that come through a proxy.
        const statuses = /forwarded/.test(name) ? [401] : [];
        expectSane(sent, answer, [...statuses, 200, 206, 301, 302, 304, 400, 412, 416]);
        // No header determines the target of a redirect.
        expect({ sent, location: answer.headers.location ?? '/' }).toEqual({
          ...{ sent, location: expect.stringMatching(/^\/(?!\/)/) },
        });
      }
    }
  });
});
