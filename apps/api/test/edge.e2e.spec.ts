import http, { type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type TestService, DEMO_KEY, startApiService, until } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { type Answer, closeConnections, exchange } from './http-exchange';

const APP = 'https://app.example.com';
const REFUSED = { status: 401, code: 'UNAUTHENTICATED' } as const;

let service: TestService;
let ownerKey: string;
let companyId: number;

beforeAll(async () => {
  service = await startApiService({
    TRUST_PROXY: '127.0.0.1',
    CORS_ORIGINS: `${APP},http://localhost:5173`,
    COMPRESS_FROM: '2KiB',
  });
  ({ ownerKey, companyId } = await service.createCompany('Acme'));
});
afterAll(async () => {
  closeConnections();
  await service?.stop();
});

type Headers = Readonly<Record<string, string | null>>;

const as = (key: string, headers: Headers = {}) => ({ authorization: `Bearer ${key}`, ...headers });
const get = (path: string, headers: Headers) => exchange(service.url, { method: 'GET', path, headers });
/** A request that a proxy on this machine has passed on. */
const getFrom = (address: string, key: string) => get('/company', as(key, { 'x-forwarded-for': address }));

interface CreatedKey {
  readonly id: number;
  readonly key: string;
}

interface ListedKey {
  readonly id: number;
  readonly lastUsedAt: string | null;
}

async function lineOf({ headers }: Answer): Promise<Record<string, unknown>> {
  const id = String(headers['x-request-id']);
  return until('the line of the request', () => {
    const line = service
      .logOf('api')
      .split('\n')
      .find((one) => one.includes(id));
    return line === undefined ? null : (JSON.parse(line) as Record<string, unknown>);
  });
}

describe('a key with limits', () => {
  const create = async (body: object): Promise<CreatedKey> => {
    const answer = await exchange(service.url, {
      ...{ method: 'POST', path: '/api-keys', headers: as(ownerKey) },
      body: JSON.stringify({ role: 'viewer', userName: 'Dana', ...body }),
    });
    expect(answer.status).toBe(201);
    return JSON.parse(answer.text) as CreatedKey;
  };

  it('works from its addresses only, and is told no reason; the log has it', async () => {
    const { id, key } = await create({ name: 'Import', addresses: ['192.0.2.0/24', '2001:db8::/32'] });
    for (const address of ['192.0.2.7', '2001:db8::7', '198.51.100.1, 192.0.2.8']) {
      expect((await getFrom(address, key)).status).toBe(200);
    }
    const refused = await getFrom('192.0.2.7, 198.51.100.1', key);
    expectError(refused, REFUSED);
    const unknown = await getFrom('198.51.100.1', 'sk_live_unknown');
    const messageOf = ({ text }: Answer) => (JSON.parse(text) as { error: string }).error;
    expect(messageOf(refused)).toBe(messageOf(unknown));
    expect(refused.text).not.toContain('Import');
    expect(await lineOf(refused)).toMatchObject({
      ...{
        msg: 'request',
        status: 401,
        address: '198.51.100.1',
        refusal: 'address',
        apiKeyId: id,
        companyId,
      },
    });
    const line = await lineOf(unknown);
    expect(line).toMatchObject({ address: '198.51.100.1', refusal: 'unknown' });
    expect(line).not.toHaveProperty('apiKeyId');
  });

  it('is refused from its expiry on, in a stream that is open, too', async () => {
    const expiresAt = new Date(Date.now() + 3_000).toISOString();
    const { key } = await create({ role: 'owner', expiresAt });
    const stream = http.get(`${service.url}/webhooks/stream`, { headers: as(key) });
    const ended = new Promise((resolve) => {
      stream.on('response', (response) => response.resume().on('close', resolve));
    });
    expect((await get('/company', as(key))).status).toBe(200);
    const refused = await until('the expiry', async () => {
      const answer = await get('/company', as(key));
      return answer.status === 200 ? null : answer;
    });
    expectError(refused, REFUSED);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt) - 1_000);
    expect(await lineOf(refused)).toMatchObject({ refusal: 'expired' });
    await ended;
  });

  it('is made and listed by commands, without the key', async () => {
    const limits = [
      '--key-name',
      'Backup',
      '--expires',
      '2036-01-31',
      '--addresses',
      '192.0.2.9/24,2001:db8::7',
    ];
    const made = await service.admin<CreatedKey>(
      ...['key:create', '--company', String(companyId), '--role', 'viewer', '--user', 'Noa', ...limits],
    );
    expect((await getFrom('192.0.2.1', made.key)).status).toBe(200);
    const list = () => service.admin<{ keys: ListedKey[] }>('key:list', '--company', String(companyId));
    const { keys } = await until(
      'the last use',
      async () => {
        const listed = await list();
        return listed.keys.some(({ id, lastUsedAt }) => id === made.id && lastUsedAt !== null) && listed;
      },
      30_000,
    );
    expect(keys.find(({ id }) => id === made.id)).toEqual({
      ...{ id: made.id, name: 'Backup', role: 'viewer', userId: expect.any(Number), userName: 'Noa' },
      ...{ createdAt: expect.any(String), expiresAt: '2036-01-31T00:00:00.000Z' },
      ...{ addresses: ['192.0.2.0/24', '2001:db8::7/128'], lastUsedAt: expect.any(String) },
    });
    expect(JSON.stringify(keys)).not.toMatch(/sk_|hash/i);
    const api = JSON.parse((await get('/api-keys', as(ownerKey))).text) as { data: ListedKey[] };
    expect(api.data.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    const viewer = ['--company', '1', '--role', 'viewer'];
    const wrong = await service.runAdmin('key:create', ...viewer, '--expires', '2020-01-01');
    expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('expiresAt') });
  });
});

describe('scripts of other origins', () => {
  const asked = { authorization: null, 'access-control-request-method': 'POST' };
  const preflight = (path: string, headers: Headers) =>
    exchange(service.url, { method: 'OPTIONS', path, headers: { ...asked, ...headers } });
  const corsOf = ({ headers }: Answer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

  it('may ask without a key whether they may call a route', async () => {
    const answer = await preflight('/api-keys', { origin: APP });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
    expect(corsOf(answer)).toEqual({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': expect.stringMatching(/idempotency-key.*traceparent, tracestate/),
      'access-control-expose-headers': expect.stringContaining('x-request-id'),
      'access-control-max-age': '3600',
    });
    expect(answer.headers).toMatchObject({ vary: 'origin', 'x-content-type-options': 'nosniff' });
  });

  it('may read answers and errors, if their origin is listed', async () => {
    for (const key of [ownerKey, 'unknown']) {
      const listed = await get('/company', as(key, { origin: 'http://localhost:5173' }));
      expect(corsOf(listed)).toMatchObject({ 'access-control-allow-origin': 'http://localhost:5173' });
      expect(listed.headers.vary).toContain('origin');
      const other = await get('/company', as(key, { origin: 'https://evil.example' }));
      expect(corsOf(other)).toEqual({});
      expect(other.headers.vary).toContain('origin');
    }
  });

  it.each<[string, string, Headers, number]>([
    ['another origin', '/company', { origin: 'https://evil.example' }, 405],
    ['an origin that begins alike', '/company', { origin: `${APP}.evil.example` }, 405],
    ['no origin', '/company', {}, 405],
    [
      'an OPTIONS that is no preflight',
      '/company',
      { origin: APP, 'access-control-request-method': null },
      405,
    ],
    ['an unknown path', '/nothing', { origin: APP }, 404],
  ])('get no permission: %s', async (_, path, headers, status) => {
    const answer = await preflight(path, headers);
    expect(answer.status).toBe(status);
    expect(corsOf(answer)).not.toHaveProperty('access-control-allow-methods');
  });
});

describe('compression', () => {
  interface Raw {
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }

  /** The bytes as sent, which `exchange` would take for text. Of a stream of events, the first ones. */
  const rawOf = (path: string, coding = 'gzip'): Promise<Raw> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${ownerKey}`, 'accept-encoding': coding };
      const request = http.get(service.url + path, { headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        const finish = () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (!response.headers['content-type']?.startsWith('text/event-stream')) return;
          finish();
          request.destroy();
        });
        response.on('end', finish).on('error', reject);
      });
      request.on('error', reject);
    });

  beforeAll(async () => {
    await service.database.query(
      `insert into saved_reports (company_id, name, filters, created_at)
       select $1, 'Report ' || n, json_build_object('search', repeat('x', 200) || n), now()
         from generate_series(1, 3000) n`,
      [companyId],
    );
    await service.database.query(
      `insert into api_keys (company_id, user_id, role, key_hash, created_at)
       select $1, (select min(id) from users where company_id = $1), 'viewer', sha256(n::text::bytea), now()
         from generate_series(1, 20) n`,
      [companyId],
    );
  });

  it.each<[string, string, boolean]>([
    ['a page', '/api-keys?limit=100', false],
    ['a long list, which is streamed', '/reports/documents/saved', true],
  ])('is for long answers, and for those who accept it: %s', async (_, path, isStreamed) => {
    const plain = await rawOf(path, 'identity');
    expect(plain.headers['transfer-encoding'] === 'chunked').toBe(isStreamed);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const { headers, bytes } = await rawOf(path);
    expect(headers['content-encoding']).toBe('gzip');
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
    expect((await rawOf(path, 'br, gzip;q=0')).headers).not.toHaveProperty('content-encoding');
    for (const answer of [plain.headers, headers]) expect(answer.vary).toBe('origin, accept-encoding');
  });

  it('is not for short answers', async () => {
    const { headers, bytes } = await rawOf('/company');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
  });

  it('is not for files, whatever they contain', async () => {
    const content = JSON.stringify({ text: 'x'.repeat(10_000) });
    const fileId = await service.upload(content, ownerKey);
    const { headers, bytes } = await rawOf(`/files/${fileId}/content`);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.toString()).toBe(content);
  });

  it('is not for streams of events', async () => {
    const { headers, bytes } = await rawOf('/webhooks/stream');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(bytes.toString()).toContain('event: open');
  });
});

describe('without the settings', () => {
  it('no script of another origin reads an answer, and nothing is compressed', async () => {
    const { url } = await service.startApi({ CORS_ORIGINS: '', COMPRESS_FROM: '' });
    const headers = as(DEMO_KEY, { origin: APP, 'accept-encoding': 'gzip' });
    const answer = await exchange(url, { method: 'GET', path: '/gateway/providers', headers });
    expect(answer.status).toBe(200);
    for (const name of ['access-control-allow-origin', 'content-encoding', 'vary']) {
      expect(answer.headers).not.toHaveProperty(name);
    }
    const asked = { authorization: null, origin: APP, 'access-control-request-method': 'GET' };
    expect((await exchange(url, { method: 'OPTIONS', path: '/company', headers: asked })).status).toBe(405);
  });
});
