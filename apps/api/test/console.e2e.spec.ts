import { type TestService, startApiService } from '@counterfoil/test-harness';
import { type Answer, exchange } from './http-exchange';

let service: TestService;
let html: string;

const get = (path: string, headers: Record<string, string> = {}, url = service.url): Promise<Answer> =>
  exchange(url, { method: 'GET', path, headers: { authorization: null, ...headers } });

beforeAll(async () => {
  service = await startApiService();
  html = (await get('/console')).text;
});

afterAll(() => service?.stop());

const asset = (ending: string): string =>
  new RegExp(`"(/console/assets/[\\w-]+\\.${ending})"`).exec(html)![1]!;

it.each(['/console', '/console/', '/console/keys', '/console/vendors/17?offset=50'])(
  '%s answers the page, which browsers ask for anew and which runs nothing but its files',
  async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).toBe(html);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      ...{ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  },
);

it.each([
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
])('a file for %s is encoded with %s, and kept for a year', async (accepted, encoding) => {
  const { status, headers } = await get(asset('js'), { 'accept-encoding': accepted });
  expect(status).toBe(200);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers).toMatchObject({
    ...{ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' },
    'content-type': 'text/javascript; charset=utf-8',
  });
});

it.each([
  '/console/assets/nothing.js',
  '/console/assets/..%2findex.html',
  '/console/assets/..%2f..%2fpackage.json',
  '/console/assets/%2e%2e%2fstate',
  '/console/assets/constructor',
])('%s is no file of the console', async (path) => {
  const { status, text } = await get(path);
  expect({ path, status }).toEqual({ path, status: 404 });
  expect(text).toContain('NOT_FOUND');
});

it('below a path, the addresses of the files begin with it', async () => {
  const { url } = await service.startApi({ PUBLIC_URL: 'http://localhost:3000/books' });
  const { text } = await get('/console/keys', {}, url);
  expect(text).toContain('src="/books/console/assets/');
  expect(text).not.toContain('"/console/');
});

it('is named on the first page, unless the operator has turned it off', async () => {
  const landing = await get('/', { accept: 'text/html' });
  expect(landing.text).toContain('href="/console"');
  const { url } = await service.startApi({ CONSOLE: 'off' });
  expect((await get('/console', {}, url)).status).toBe(404);
  expect((await get('/', { accept: 'text/html' }, url)).text).not.toContain('href="/console"');
  expect(JSON.parse((await get('/', {}, url)).text)).toMatchObject({ console: null });
});
