import { DEMO_KEY, startApiService, type TestService, until } from '@counterfoil/test-harness';
import { type Answer, closeConnections, exchange } from './http-exchange';

interface Row {
  readonly at: string;
  readonly method: string;
  readonly route: string;
  readonly ids: Record<string, string> | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly requestId: string;
  readonly apiKeyId: number;
}

interface RowPage {
  readonly data: readonly Row[];
  readonly pagination: { readonly total: number };
}

let service: TestService;

beforeAll(async () => {
  service = await startApiService();
});
afterAll(async () => {
  closeConnections();
  await service.stop();
});

/** Sends a request with an id of its own. */
const send = (requestId: string, method: string, path: string, body?: object): Promise<Answer> =>
  exchange(service.url, {
    method,
    path,
    headers: { 'x-request-id': requestId },
    body: body && JSON.stringify(body),
  });

async function list(query: string, key = DEMO_KEY): Promise<RowPage> {
  const { status, body } = await service.request<RowPage>('GET', `/requests?${query}`, undefined, key);
  expect(status).toBe(200);
  return body;
}

/** Waits until the request is written. */
async function logged(requestId: string): Promise<Row> {
  const query = `requestId=${requestId}`;
  await until(`the request ${requestId}`, async () => (await list(query)).data.length === 1);
  return (await list(query)).data[0]!;
}

describe('GET /requests', () => {
  it('has a request with its outcome, without body and query', async () => {
    const before = Date.now();
    await send('one', 'GET', '/vendors?search=very-private&limit=5');
    await send('two', 'POST', '/vendors/create', {
      name: 'very-private',
      taxId: '514000000',
      type: 'COMPANY',
    });
    const [one, two] = [await logged('one'), await logged('two')];
    expect(one).toMatchObject({
      ...{ method: 'GET', route: '/vendors', ids: null, status: 200, errorCode: null, requestId: 'one' },
    });
    expect(two).toMatchObject({ method: 'POST', route: '/vendors/create', status: 201 });
    expect(one.durationMs).toBeGreaterThan(0);
    expect(Math.abs(Date.parse(one.at) - before)).toBeLessThan(60_000);
    expect(one.apiKeyId).toBeGreaterThan(0);
    const stored = await service.database.query('select request_log::text as row from request_log');
    expect(JSON.stringify(stored)).not.toContain('very-private');
  });

  it('has the error code and the ids of the path', async () => {
    const visibleId = '0b9d4c1e-7f2a-4c6d-9e3b-000000000001';
    await send('missing', 'GET', `/documents/id/${visibleId}`);
    await send('invalid', 'POST', '/vendors/create', { name: 5 });
    expect(await logged('missing')).toMatchObject({
      ...{ route: '/documents/id/{visibleId}', ids: { visibleId }, status: 404, errorCode: 'NOT_FOUND' },
    });
    expect(await logged('invalid')).toMatchObject({ status: 400, errorCode: 'VALIDATION_FAILED' });
  });

  it('has no card number that a caller put into a path', async () => {
    await send('card', 'GET', '/documents/id/4580458045804580');
    expect(await logged('card')).toMatchObject({ route: '/documents/id/{visibleId}', ids: null });
  });

  it('has a request that its role may not make', async () => {
    const created = { role: 'viewer', userName: 'Viewer' };
    const { body } = await service.request<{ key: string; id: number }>('POST', '/api-keys', created);
    const { status } = await service.request('GET', '/requests', undefined, body.key);
    expect(status).toBe(403);
    await until('the refusal', async () => {
      const { data } = await list('route=/requests&status=403');
      return data.some(({ apiKeyId, errorCode }) => apiKeyId === body.id && errorCode === 'FORBIDDEN');
    });
  });

  it('finds requests by path, status and time', async () => {
    await send('filtered', 'GET', '/products');
    const { at } = await logged('filtered');
    const from = encodeURIComponent(at);
    const later = encodeURIComponent(new Date(Date.parse(at) + 3_600_000).toISOString());
    const found = async (query: string) =>
      (await list(`requestId=filtered&${query}`)).data.map(({ requestId }) => requestId);
    for (const query of [
      'route=/products',
      'status=200',
      `from=${from}`,
      `to=${from}`,
      `from=${from}&to=${later}`,
    ])
      expect({ query, found: await found(query) }).toEqual({ query, found: ['filtered'] });
    for (const query of ['route=/vendors', 'status=404', `from=${later}`])
      expect({ query, found: await found(query) }).toEqual({ query, found: [] });
  });

  it.each([
    ['status=ok', 'status'],
    ['status=-1', 'status'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30', 'to'],
    [`route=${'x'.repeat(201)}`, 'route'],
    [`requestId=${'x'.repeat(129)}`, 'requestId'],
  ])('refuses the filter %s', async (query, field) => {
    const answer = await send('refused', 'GET', `/requests?${query}`);
    expect(answer.status).toBe(400);
    const { code, error } = JSON.parse(answer.text) as { code: string; error: string };
    expect({ code, field: error.split(' ')[0] }).toEqual({ code: 'VALIDATION_FAILED', field });
  });

  it('has the requests of the company only, and none without a key', async () => {
    const { ownerKey } = await service.createCompany('Other');
    await exchange(service.url, {
      method: 'GET',
      path: '/vendors',
      headers: { authorization: 'Bearer sk_live_x' },
    });
    await service.request('GET', '/clients', undefined, ownerKey);
    await until('the request', async () => (await list('route=/clients', ownerKey)).data.length === 1);
    const { data } = await list('limit=200', ownerKey);
    expect(new Set(data.map(({ apiKeyId }) => apiKeyId)).size).toBe(1);
    const [row] = await service.database.query<{ refused: number }>(
      'select count(*)::int as refused from request_log where status = 401',
    );
    expect(row?.refused).toBe(0);
  });

  it('loses no request when the API is stopped', async () => {
    const { process: api, url } = await service.startApiProcess({ DRAIN_DELAY: '0s' });
    for (let count = 0; count < 50; count++)
      await exchange(url, { method: 'GET', path: '/vendors', headers: { 'x-request-id': `stop-${count}` } });
    await api.kill('SIGTERM');
    const [row] = await service.database.query<{ count: number }>(
      `select count(*)::int as count from request_log where request_id like 'stop-%'`,
    );
    expect(row?.count).toBe(50);
  });
});
