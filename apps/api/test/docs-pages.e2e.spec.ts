import fs from 'node:fs';
import path from 'node:path';
import { startApiService, type TestService } from '@counterfoil/test-harness';
import { GUIDES, TOPICS } from '../src/docs/guide-list';
import { ERROR_STATUS } from '../src/http/error-body';

const ROOT = path.resolve(__dirname, '../../..');
const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

let service: TestService;

beforeAll(async () => {
  service = await startApiService();
});
afterAll(() => service.stop());

const get = (at: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(new URL(at, service.url), { method, headers, redirect: 'manual' });

/** Returns the targets of all links and scripts of a page. */
function targetsIn(html: string, page: string): URL[] {
  const targets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, at = '']) => at);
  return targets.filter((at) => !at.startsWith('data:')).map((at) => new URL(at, new URL(page, service.url)));
}

describe('GET /', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.9', 'text/html;q=0, */*'])(
    'answers a program with JSON (Accept: %s)',
    async (accept) => {
      const answer = await get('/', { accept });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('vary')).toBe('accept');
      expect(await answer.json()).toEqual({
        name: 'Counterfoil',
        version,
        docs: `${service.url}/docs`,
        console: `${service.url}/console`,
        openapi: `${service.url}/openapi.json`,
        health: `${service.url}/health/ready`,
      });
    },
  );

  it('answers a browser with a page whose links work', async () => {
    const answer = await get('/', { accept: BROWSER });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await answer.text();
    expect(html).toContain(`Version ${version}`);
    const targets = targetsIn(html, '/');
    expect(targets.length).toBeGreaterThan(10);
    for (const { href, origin } of targets) {
      expect({ href, origin }).toEqual({ href, origin: service.url });
      expect({ href, status: (await get(href)).status }).toEqual({ href, status: 200 });
    }
  });

  it('answers HEAD with the same headers and no body', async () => {
    const answer = await get('/', { accept: BROWSER }, 'HEAD');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe('');
  });

  it('answers other methods with 405 and Allow', async () => {
    const answer = await get('/', {}, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('contains no version but its own, no package name and no key', async () => {
    for (const accept of [BROWSER, '*/*']) {
      const answer = await get('/', { accept });
      expect([...answer.headers.keys()]).not.toContain('x-powered-by');
      const text = (await answer.text()).replaceAll(service.url, '');
      expect(text).not.toMatch(/\bsk_|nest|fastify|scalar|postgres|node\.js/i);
      expect(text.match(/\d+\.\d+\.\d+/g)).toEqual([version]);
    }
  });
});

describe('/docs', () => {
  it('loads everything from this host', async () => {
    const answer = await get('/docs');
    expect(answer.status).toBe(200);
    const html = await answer.text();
    for (const { href, origin } of targetsIn(html, '/docs')) {
      expect({ href, origin }).toEqual({ href, origin: service.url });
      const target = await get(href);
      expect({ href, status: target.status }).toEqual({ href, status: 200 });
      expect((await target.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
    expect(html).toMatch(/<script src="\/docs\/scalar\.js\?v=[\w-]{22}"/);
  });

  it('switches off all of Scalar that calls other hosts', async () => {
    const script = await (await get('/docs/reference.js')).text();
    const [, text = ''] = /^Scalar\.createApiReference\('#reference', (.*)\);$/m.exec(script) ?? [];
    expect(JSON.parse(text)).toMatchObject({
      url: '/openapi.json',
      ...{ telemetry: false, withDefaultFonts: false, persistAuth: false, showDeveloperTools: 'never' },
      ...{ hideClientButton: true, agent: { disabled: true }, mcp: { disabled: true } },
    });
    expect(text).not.toMatch(/https?:\/\//);
  });

  it.each(['/docs/', '/docs/guides'])('redirects from %s to a page', async (at) => {
    const answer = await get(at);
    expect(answer.status).toBe(308);
    expect((await get(answer.headers.get('location')!)).status).toBe(200);
  });
});

describe('a page that never changes', () => {
  const SCRIPT = '/docs/scalar.js';

  /** Sends only the given headers: `fetch` decompresses, and adds an Accept-Encoding. */
  const plainly = (at: string, encoding: string, headers = {}) =>
    get(at, { 'accept-encoding': encoding, ...headers });

  it.each([SCRIPT, '/docs', '/docs/guides/errors', '/openapi.json', '/openapi.yaml'])(
    'is compressed, and has an ETag for each encoding: %s',
    async (at) => {
      const whole = await plainly(at, 'identity');
      const compressed = await plainly(at, 'br, gzip');
      expect([whole, compressed].map(({ headers }) => headers.get('content-encoding'))).toEqual([
        null,
        'gzip',
      ]);
      expect(Number(compressed.headers.get('content-length'))).toBeLessThan(
        Number(whole.headers.get('content-length')) * 0.7,
      );
      expect(await compressed.text()).toBe(await whole.text());
      const tags = [whole, compressed].map(({ headers }) => headers.get('etag')!);
      expect(tags[0]).not.toBe(tags[1]);
      for (const [index, encoding] of ['identity', 'gzip'].entries()) {
        const known = { 'if-none-match': tags[index]! };
        expect((await plainly(at, encoding, known)).status).toBe(304);
        expect((await plainly(at, encoding, { 'if-none-match': '"another"' })).status).toBe(200);
      }
      expect(whole.headers.get('cache-control')).toBe('no-cache');
      expect(whole.headers.get('vary')).toBe('accept-encoding');
    },
  );

  it('is cached for a year under the URL with its hash, and revalidated under another hash', async () => {
    const [, address = ''] = /src="([^"]*scalar\.js[^"]*)"/.exec(await (await get('/docs')).text()) ?? [];
    expect((await get(address)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const other = await get(`${SCRIPT}?v=${'x'.repeat(22)}`);
    expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  });

  it('is sent uncompressed to clients that do not accept gzip', async () => {
    for (const encoding of ['gzip;q=0', 'br', 'x-gzip2'])
      expect((await plainly('/docs', encoding)).headers.get('content-encoding')).toBeNull();
  });
});

describe('the guides', () => {
  it('are all served, and link only to pages and headings that exist', async () => {
    const pages = new Map<string, string>();
    const read = async (at: string) => {
      if (!pages.has(at)) {
        const answer = await get(at);
        expect({ at, status: answer.status }).toEqual({ at, status: 200 });
        pages.set(at, await answer.text());
      }
      return pages.get(at)!;
    };
    for (const { page } of [...GUIDES, ...TOPICS]) {
      const at = `/docs/guides/${page}`;
      const targets = targetsIn(await read(at), at).filter(({ origin }) => origin === service.url);
      for (const { pathname, hash } of targets) {
        const text = await read(pathname);
        if (hash !== '')
          expect({ at, id: text.includes(`id="${decodeURIComponent(hash.slice(1))}"`), hash }).toEqual({
            at,
            id: true,
            hash,
          });
      }
    }
    expect(pages.size).toBeGreaterThan(30);
  });

  it('show their pictures', async () => {
    const types = new Set<string | null>();
    for (const guide of ['documents', 'console']) {
      const page = await get(`/docs/guides/${guide}`);
      expect(page.headers.get('content-security-policy')).toContain("img-src data: 'self'");
      const html = await page.text();
      const pictures = [...html.matchAll(/<img src="(pictures\/[^"]+)"/g)].map(([, at]) => at!);
      expect(pictures.length).toBeGreaterThanOrEqual(5);
      for (const at of pictures) {
        const answer = await get(`/docs/guides/${at}`);
        expect([at, answer.status]).toEqual([at, 200]);
        types.add(answer.headers.get('content-type'));
      }
    }
    expect(types).toEqual(new Set(['image/png', 'image/webp']));
  });

  it('have an anchor for every error code', async () => {
    const html = await (await get('/docs/guides/errors')).text();
    for (const code of Object.keys(ERROR_STATUS)) expect(html).toContain(`<tr id="${code}">`);
  });

  it('show the tables and the commands of the page', async () => {
    const html = await (await get('/docs/guides/errors')).text();
    expect(html).toContain('<h1 dir="auto" id="errors">Errors</h1>');
    expect(html).toMatch(/<td dir="auto"><code>VALIDATION_FAILED<\/code><\/td>/);
    expect(html).toMatch(/<pre[^>]*><code>\{\n {2}&quot;success&quot;: false,/);
  });

  it('are served only under their exact names', async () => {
    for (const name of ['architecture', 'README', '..%2f..%2fpackage.json', 'webhooks.md', 'constructor'])
      expect((await get(`/docs/guides/${name}`)).status).toBe(404);
  });
});
