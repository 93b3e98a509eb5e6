import { IdentityModule, SuspendCompany } from '@counterfoil/identity';
import {
  DEMO_KEY,
  openTestContext,
  type OpenContext,
  queueStores,
  startService,
  testConfig,
  type TestService,
} from '@counterfoil/test-harness';
import { type Answer, exchange } from './http-exchange';

jest.setTimeout(180_000);

let service: TestService;
let identity: OpenContext;

beforeAll(async () => {
  service = await startService(queueStores()[0]!, {
    RATE_LIMIT_FAILED_KEYS: '100/1h',
    SESSION_LIFETIME: '1h',
  });
  identity = await openTestContext(testConfig(service.database.url), [IdentityModule]);
});

afterAll(async () => {
  await identity?.close();
  await service?.stop();
});

const query: TestService['database']['query'] = (sql, values) => service.database.query(sql, values);

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly url?: string;
}

/** A signed-in browser, with the headers that Chromium sends from a page of the service. */
class Browser {
  constructor(
    readonly id: number,
    readonly cookie: string,
  ) {}

  send(method: string, path: string, { body, headers = {}, url = service.url }: Sent = {}): Promise<Answer> {
    const own = {
      ...{ authorization: null, cookie: this.cookie, 'counterfoil-session': String(this.id) },
      ...{ 'sec-fetch-site': 'same-origin', ...(method !== 'GET' && { origin: service.url }) },
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    return exchange(url, { method, path, headers: { ...own, ...headers }, body: text });
  }
}

const withKey = (key: string, method: string, path: string, { body, headers = {} }: Sent = {}) =>
  exchange(service.url, {
    ...{ method, path, headers: { authorization: `Bearer ${key}`, ...headers } },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

async function signIn(key = DEMO_KEY, headers: Record<string, string> = {}): Promise<Browser> {
  const answer = await withKey(key, 'POST', '/sessions', { headers: { origin: service.url, ...headers } });
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
  const { id } = JSON.parse(answer.text) as { id: number };
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  return new Browser(id, cookie.split(';')[0]!);
}

async function newKey(role: string, more: object = {}): Promise<{ id: number; key: string }> {
  const body = { role, userName: `The ${role}`, ...more };
  return JSON.parse((await withKey(DEMO_KEY, 'POST', '/api-keys', { body })).text) as {
    id: number;
    key: string;
  };
}

const codeOf = ({ status, text }: Answer): string =>
  status < 300 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`;

const ENDED = '401 UNAUTHENTICATED';
const FORBIDDEN = '403 FORBIDDEN';

describe('signing in', () => {
  it('gives the browser a cookie that scripts and other sites cannot use, and no key', async () => {
    const answer = await withKey(DEMO_KEY, 'POST', '/sessions', { headers: { origin: service.url } });
    const { id, expiresAt } = JSON.parse(answer.text) as { id: number; expiresAt: string };
    const [cookie = ''] = answer.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^counterfoil-session-${id}=[\\w-]{43}; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`),
    );
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(answer.text + cookie).not.toContain(DEMO_KEY);
  });

  it('over HTTPS, the cookie is bound to the host and to TLS', async () => {
    const { url } = await service.startApi({
      PUBLIC_URL: 'https://books.example.com',
      NODE_ENV: 'production',
      PAYMENT_GATEWAY: 'off',
    });
    const { key } = await newKey('viewer');
    const headers = { authorization: `Bearer ${key}`, origin: 'https://books.example.com' };
    const answer = await exchange(url, { method: 'POST', path: '/sessions', headers });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-counterfoil-session-\d+=.*; Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('is refused without a key, with a wrong one, in a session, and from a page of another site', async () => {
    const browser = await signIn();
    const from = (headers: Record<string, string>) => withKey(DEMO_KEY, 'POST', '/sessions', { headers });
    expect(codeOf(await withKey('sk_live_wrong', 'POST', '/sessions'))).toBe(ENDED);
    expect(codeOf(await browser.send('POST', '/sessions'))).toBe(FORBIDDEN);
    expect(codeOf(await from({ origin: 'https://evil.example' }))).toBe(FORBIDDEN);
    expect(codeOf(await from({ 'sec-fetch-site': 'same-site' }))).toBe(FORBIDDEN);
  });

  it('stores only the hash of the token', async () => {
    const { id, cookie } = await signIn();
    const rows = await query<{ row: string }>('select s::text as row from sessions s where id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.row).not.toContain(cookie.split('=')[1]);
  });

  it('keeps 20 sessions of a key, and ends the oldest', async () => {
    const { key } = await newKey('viewer');
    const first = await signIn(key);
    for (let at = 0; at < 20; at += 1) await signIn(key);
    expect(codeOf(await first.send('GET', '/caller'))).toBe(ENDED);
    const { total } = (
      JSON.parse((await withKey(key, 'GET', '/sessions')).text) as { pagination: { total: number } }
    ).pagination;
    expect(total).toBe(20);
  });
});

describe('a call in a session', () => {
  it('has the role, the company and the user of the key', async () => {
    const { id, key } = await newKey('viewer');
    const viewer = await signIn(key);
    const caller = JSON.parse((await viewer.send('GET', '/caller')).text) as object;
    expect(caller).toMatchObject({
      apiKeyId: id,
      role: 'viewer',
      permissions: ['read'],
      sessionId: viewer.id,
    });
    expect(codeOf(await viewer.send('GET', '/company'))).toBe('200');
    expect(
      codeOf(await viewer.send('POST', '/clients/create', { body: { name: 'A', type: 'COMPANY' } })),
    ).toBe(FORBIDDEN);
    expect(codeOf(await viewer.send('GET', '/api-keys'))).toBe(FORBIDDEN);
  });

  it('is recorded with the key and the session', async () => {
    const owner = await signIn();
    const answer = await owner.send('POST', '/clients/create', {
      body: { name: 'Recorded', taxId: '514000001', type: 'COMPANY' },
    });
    expect(codeOf(answer)).toBe('201');
    const rows = await query<{ acting: string }>(
      `select acting from audit_staged where acting like '%' || $1 union all
       select actor from audit_log where request_id = $1`,
      [answer.headers['x-request-id']],
    );
    expect(rows[0]?.acting).toMatch(new RegExp(`^api-key:\\d+/session:${owner.id}( |$)`));
  });

  it('shares the idempotency keys of the API key', async () => {
    const owner = await signIn();
    const sent = {
      body: { name: 'Once', taxId: '514000002', type: 'COMPANY' },
      headers: { 'idempotency-key': 'session-and-key' },
    };
    const first = await owner.send('POST', '/clients/create', sent);
    const second = await withKey(DEMO_KEY, 'POST', '/clients/create', sent);
    expect(second.headers['idempotent-replay']).toBe('true');
    expect(second.text).toBe(first.text);
  });

  it('needs its header, and works from pages of the service only', async () => {
    const owner = await signIn();
    const get = (headers: Record<string, string | null>) => owner.send('GET', '/company', { headers });
    const change = (headers: Record<string, string | null>) =>
      owner.send('PUT', '/company', { body: {}, headers });
    expect(codeOf(await get({ 'counterfoil-session': null }))).toBe(ENDED);
    expect(codeOf(await get({ 'counterfoil-session': String(owner.id + 1) }))).toBe(ENDED);
    expect(codeOf(await get({ 'counterfoil-session': 'x' }))).toBe(ENDED);
    expect(codeOf(await get({ cookie: null }))).toBe(ENDED);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(codeOf(await get({ 'sec-fetch-site': site }))).toBe(FORBIDDEN);
    expect(codeOf(await get({ origin: 'http://localhost:1' }))).toBe(FORBIDDEN);
    expect(codeOf(await change({ origin: 'null' }))).toBe(FORBIDDEN);
    expect(codeOf(await change({ origin: null, 'sec-fetch-site': null }))).toBe(FORBIDDEN);
    expect(codeOf(await change({}))).toBe('200');
  });

  it('cannot be made by a script of another origin, even one that CORS allows', async () => {
    const { url } = await service.startApi({ CORS_ORIGINS: '*' });
    const headers = {
      ...{ authorization: null, origin: 'https://app.example.com', 'access-control-request-method': 'GET' },
      'access-control-request-headers': 'counterfoil-session',
    };
    const preflight = await exchange(url, { method: 'OPTIONS', path: '/company', headers });
    expect(preflight.headers['access-control-allow-headers']).not.toContain('counterfoil-session');
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('uses the key where both are sent', async () => {
    const { key, id } = await newKey('viewer');
    const owner = await signIn();
    const { text } = await owner.send('GET', '/caller', { headers: { authorization: `Bearer ${key}` } });
    expect(JSON.parse(text)).toMatchObject({ apiKeyId: id, sessionId: null });
  });

  it('with the key of the documentation works on this machine only', async () => {
    const owner = await signIn();
    expect(
      codeOf(await owner.send('GET', '/caller', { headers: { 'x-forwarded-for': '203.0.113.7' } })),
    ).toBe(ENDED);
  });
});

describe('a session ends', () => {
  const over = async (browser: Browser) => expect(codeOf(await browser.send('GET', '/caller'))).toBe(ENDED);

  it('when it is signed out, and the browser forgets it', async () => {
    const browser = await signIn();
    const answer = await browser.send('DELETE', `/sessions/${browser.id}`);
    expect(answer.headers['set-cookie']?.[0]).toContain('Expires=Thu, 01 Jan 1970');
    await over(browser);
  });

  it('when it expires', async () => {
    const browser = await signIn();
    await query('update sessions set expires_at = now() - make_interval(mins => 1) where id = $1', [
      browser.id,
    ]);
    await over(browser);
  });

  it('at once with its key: revoked, or expired', async () => {
    const revoked = await newKey('viewer');
    const first = await signIn(revoked.key);
    await withKey(DEMO_KEY, 'DELETE', `/api-keys/${revoked.id}`);
    await over(first);
    const expiring = await newKey('viewer', { expiresAt: new Date(Date.now() + 1_800_000).toISOString() });
    const second = await signIn(expiring.key);
    expect(JSON.parse((await second.send('GET', '/caller')).text)).toMatchObject({
      expiresAt: expect.stringMatching(/Z$/) as string,
    });
    await query('update api_keys set expires_at = now() - make_interval(mins => 1) where id = $1', [
      expiring.id,
    ]);
    await over(second);
  });

  it('by the hand of an owner, but not of a colleague or of another company', async () => {
    const [mine, other] = [await newKey('editor'), await newKey('viewer')];
    const browser = await signIn(mine.key);
    const company = await service.createCompany('Foreign');
    for (const key of [other.key, company.ownerKey])
      expect(codeOf(await withKey(key, 'DELETE', `/sessions/${browser.id}`))).toBe('404 NOT_FOUND');
    const seen = async (key: string) =>
      (
        JSON.parse((await withKey(key, 'GET', '/sessions?limit=200')).text) as { data: { id: number }[] }
      ).data.map(({ id }) => id);
    expect(await seen(other.key)).not.toContain(browser.id);
    expect(await seen(company.ownerKey)).not.toContain(browser.id);
    expect(await seen(mine.key)).toEqual([browser.id]);
    expect(codeOf(await withKey(DEMO_KEY, 'DELETE', `/sessions/${browser.id}`))).toBe('200');
    await over(browser);
  });

  it('while its company is suspended', async () => {
    const company = await service.createCompany('Suspended');
    const browser = await signIn(company.ownerKey);
    const note = { operator: 'test', reason: 'a test' };
    await identity.get(SuspendCompany).suspend(company.companyId, note);
    expect(codeOf(await browser.send('GET', '/caller'))).toBe('403 COMPANY_SUSPENDED');
  });

  const signsOut = async (browser: Browser, headers: Record<string, string> = {}) => {
    const answer = await browser.send('DELETE', `/sessions/${browser.id}`, { headers });
    expect(codeOf(answer)).toBe('200');
    expect(answer.headers['set-cookie']?.[0]).toContain('Expires=Thu, 01 Jan 1970');
  };

  it('when it is signed out while its company is suspended, and stays so afterwards', async () => {
    const company = await service.createCompany('Suspended and left');
    const [browser, other] = [await signIn(company.ownerKey), await signIn(company.ownerKey)];
    const note = { operator: 'test', reason: 'a test' };
    await identity.get(SuspendCompany).suspend(company.companyId, note);
    expect(codeOf(await browser.send('DELETE', `/sessions/${other.id}`))).toBe('403 COMPANY_SUSPENDED');
    expect(codeOf(await withKey(company.ownerKey, 'DELETE', `/sessions/${other.id}`))).toBe(
      '403 COMPANY_SUSPENDED',
    );
    await signsOut(browser);
    await identity.get(SuspendCompany).resume(company.companyId, note);
    await over(browser);
    expect(codeOf(await other.send('GET', '/caller'))).toBe('200');
  });

  it('when it is signed out from where its key may not be used', async () => {
    const { id, key } = await newKey('viewer');
    const [browser, other] = [await signIn(key), await signIn(key)];
    await query(`update api_keys set addresses = '{203.0.113.0/24}' where id = $1`, [id]);
    expect(codeOf(await browser.send('DELETE', `/sessions/${other.id}`))).toBe(ENDED);
    const guess = new Browser(browser.id, browser.cookie.replace(/=.*/, `=${'A'.repeat(43)}`));
    expect(codeOf(await guess.send('DELETE', `/sessions/${browser.id}`))).toBe(ENDED);
    await signsOut(browser);
    await query('update api_keys set addresses = null where id = $1', [id]);
    await over(browser);
    expect(codeOf(await other.send('GET', '/caller'))).toBe('200');
    // The key of the documentation is refused from other machines.
    await signsOut(await signIn(), { 'x-forwarded-for': '203.0.113.7' });
  });

  it('together with its stream of events', async () => {
    const owner = await signIn();
    const headers = {
      cookie: owner.cookie,
      'counterfoil-session': String(owner.id),
      'sec-fetch-site': 'same-origin',
    };
    const response = await fetch(`${service.url}/webhooks/stream`, { headers });
    expect(response.status).toBe(200);
    const ended = (async () => {
      for await (const piece of response.body!) void piece;
    })();
    await withKey(DEMO_KEY, 'DELETE', `/sessions/${owner.id}`);
    await ended;
  });
});

it('several companies are signed in at once, each by its own cookie', async () => {
  const company = await service.createCompany('Beside');
  const [ours, theirs] = [await signIn(), await signIn(company.ownerKey)];
  const jar = `${ours.cookie}; ${theirs.cookie}`;
  for (const [browser, companyId] of [
    [ours, 1],
    [theirs, company.companyId],
  ] as const) {
    const { text } = await browser.send('GET', '/caller', { headers: { cookie: jar } });
    expect(JSON.parse(text)).toMatchObject({ sessionId: browser.id, companyId });
  }
  const mixed = theirs.cookie.replace(/-\d+=/, `-${ours.id}=`);
  expect(codeOf(await ours.send('GET', '/caller', { headers: { cookie: mixed } }))).toBe(ENDED);
});

it('guessed tokens count as failed keys of their address', async () => {
  const { url } = await service.startApi({ RATE_LIMIT_FAILED_KEYS: '5/1h' });
  const guess = new Browser(1, `counterfoil-session-1=${'A'.repeat(43)}`);
  const codes = [];
  for (let at = 0; at < 7; at += 1)
    codes.push(codeOf(await guess.send('GET', '/caller', { url, headers: { origin: null } })));
  expect(codes.slice(-1)).toEqual(['429 RATE_LIMITED']);
});
