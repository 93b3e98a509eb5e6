import { DEMO_KEY, startApiService, type TestApi, type TestService } from '@counterfoil/test-harness';
import { API_ROUTES, examplePath } from './api-routes';
import { type Answer, closeConnections, exchange, exchangeBytes, type Sent } from './http-exchange';

const STRICT = "default-src 'none'; frame-ancestors 'none'";
const OF_DATA = {
  'content-security-policy': STRICT,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Browsers keep the description, and ask whether it has changed. */
const OF_DESCRIPTION = { ...OF_DATA, 'cache-control': 'no-cache' };

let service: TestService;
/** An API with an https address. */
let secure: TestApi;

beforeAll(async () => {
  service = await startApiService();
  secure = await service.startApi({ PUBLIC_URL: 'https://counterfoil.example' });
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

const send = (sent: Sent): Promise<Answer> => exchange(service.url, sent);
const get = (path: string): Promise<Answer> =>
  send({ method: 'GET', path, headers: { authorization: null } });

describe('the security headers of every response', () => {
  it.each(API_ROUTES)('$method $path', async ({ method, path }) => {
    for (const key of [DEMO_KEY, null]) {
      const headers = { authorization: key && `Bearer ${key}` };
      const body = method === 'GET' || method === 'DELETE' ? undefined : '{}';
      const answer = await send({ method, path: examplePath(path), headers, body });
      expect(answer.headers).toMatchObject(OF_DATA);
      expect(answer.headers).not.toHaveProperty('strict-transport-security');
    }
  });

  it.each<[string, Sent]>([
    ['an unknown path', { method: 'GET', path: '/nothing' }],
    ['a wrong method', { method: 'DELETE', path: '/company' }],
    ['a malformed address', { method: 'GET', path: '/%zz' }],
    ['a body that is too large', { method: 'POST', path: '/clients/create', body: Buffer.alloc(2 ** 21) }],
    ['a body of another type', { method: 'POST', path: '/company', headers: { 'content-type': 'x/y' } }],
    ['a HEAD', { method: 'HEAD', path: '/company' }],
    ['an OPTIONS', { method: 'OPTIONS', path: '/company' }],
    ['the description', { method: 'GET', path: '/openapi.json' }],
    ['metrics that are not here', { method: 'GET', path: '/metrics' }],
  ])('%s', async (_, sent) => {
    const { headers } = await send(sent);
    expect(headers).toMatchObject(sent.path === '/openapi.json' ? OF_DESCRIPTION : OF_DATA);
  });

  it.each([
    ['bytes that are no request', 'nonsense\r\n\r\n'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a malformed address', 'GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s, behind HTTPS too', async (_, bytes) => {
    const answer = await exchangeBytes(secure.url, [bytes]);
    expect(answer.headers).toMatchObject(OF_DATA);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });
});

describe('behind HTTPS, every response has HSTS', () => {
  it.each(['/health/live', '/company', '/nothing', '/', '/docs', '/docs/scalar.js', '/openapi.json'])(
    '%s',
    async (path) => {
      const { headers } = await exchange(secure.url, { method: 'GET', path });
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    },
  );
});

describe('the reference at /docs', () => {
  it('runs only its own files, and no code from texts', async () => {
    const { headers, text } = await get('/docs');
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(text).not.toMatch(/\son\w+=/);
    const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, at = '']) => at);
    expect(scripts.length).toBe(2);
    for (const at of scripts) {
      const script = await get(at);
      expect(script.status).toBe(200);
      expect(script.headers['content-type']).toMatch(/javascript/);
      expect(script.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('does not store a key', async () => {
    const { status, text } = await get('/docs/reference.js');
    expect(status).toBe(200);
    expect(text).toContain('"persistAuth":false');
  });
});

describe('pages without scripts', () => {
  it.each([
    { path: '/', images: 'data:' },
    { path: '/docs/guides/webhooks', images: "data: 'self'" },
    { path: '/docs/guides/contract/2-lists', images: "data: 'self'" },
  ])('$path', async ({ path, images }) => {
    const { status, headers, text } = await send({
      method: 'GET',
      path,
      headers: { authorization: null, accept: 'text/html' },
    });
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']).replace(/sha256-[^']{44}/, 'HASH');
    expect(policy).toBe(
      `default-src 'none'; style-src 'HASH'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/);
  });
});
