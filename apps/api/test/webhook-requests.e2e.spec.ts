import { until } from '@counterfoil/test-harness';
import { expectError } from './error-body';
import { exchange } from './http-exchange';
import {
  answering,
  ask,
  attempted,
  BASES,
  deliveriesOf,
  given,
  type Listed,
  made,
  ok,
  receiver,
  refuse,
  serveWebhooks,
  service,
  shown,
  SINCE,
  UNRESOLVED,
} from './webhook-calls';

serveWebhooks();

describe('a request', () => {
  const bare = (method: string, path: string, headers: Record<string, string | null> = {}, body?: string) =>
    exchange(service.url, { method, path, headers, body });

  it.each([
    ['no body and no content type', {}, undefined],
    ['an empty body', { 'content-type': 'application/json' }, ''],
    ['no body though a content type is named', { 'content-type': 'application/json' }, undefined],
    ['an empty object', {}, '{}'],
  ])('may have %s if the body is optional', async (_, headers, body) => {
    for (const base of BASES) {
      const endpoint = await given(base);
      expect((await bare('POST', `${endpoint.at}/test`, headers, body)).status).toBe(200);
      for (const rest of ['/pause', '/resume']) {
        expect((await bare('POST', endpoint.at + rest, headers, body)).status).toBe(200);
      }
      const rotated = await bare('POST', `${endpoint.at}/rotate-secret`, headers, body);
      expect(rotated.status).toBe(200);
      shown.push({ route: `POST ${base}/{id}/rotate-secret`, secret: JSON.parse(rotated.text).secret });
      expect((await bare('PUT', endpoint.at, headers, body)).status).toBe(200);
      const refused = await bare('POST', `${endpoint.at}/replay`, headers, body);
      expectError(refused, { status: 400, code: 'VALIDATION_FAILED', field: 'since' });
    }
  });

  it.each([
    { since: '2026-01-02', until: SINCE },
    { since: '2026-01-01T00:00:00.001Z', until: SINCE },
    { since: '9000-01-01' },
  ])('must not have a range that ends before it begins: %j', async (range) => {
    const endpoint = await given(BASES[0]);
    const answer = await ask('POST', `${endpoint.at}/replay`, range);
    expectError(answer, { status: 400, code: 'VALIDATION_FAILED' });
    expect(JSON.parse(answer.text).details).toHaveLength(1);
  });

  it('can combine filters, page by page', async () => {
    const endpoint = await given(BASES[0], { events: ['*'] });
    const first = await attempted(endpoint, { type: 'charge.failed' });
    answering.set(endpoint.path, refuse);
    const second = await attempted(endpoint, { type: 'refund.created' });
    const third = await attempted(endpoint, { type: 'charge.failed' });
    const idsOf = async (query: string) => (await deliveriesOf(endpoint, query)).data.map(({ id }) => id);
    expect(await idsOf('')).toEqual([third.id, second.id, first.id]);
    expect(await idsOf('?state=delivered')).toEqual([first.id]);
    expect(await idsOf('?state=waiting&eventType=charge.failed')).toEqual([third.id]);
    expect(await idsOf('?eventType=charge.failed')).toEqual([third.id, first.id]);
    expect(await idsOf(`?eventId=${second.eventId}`)).toEqual([second.id]);
    expect(await idsOf(`?since=${second.createdAt}`)).toEqual([third.id, second.id]);
    expect(await idsOf(`?until=${second.createdAt}`)).toEqual([second.id, first.id]);
    expect(await idsOf(`?since=${third.createdAt}&until=${first.createdAt}`)).toEqual([]);
    expect(await idsOf('?state=dropped')).toEqual([]);
    for (const eventId of ["'%20or%201=1--", '%25', '%F0%9F%98%80', 'evt_']) {
      expect(await idsOf(`?eventId=${eventId}`)).toEqual([]);
    }
    expect(await idsOf('?limit=2')).toEqual([third.id, second.id]);
    expect(await deliveriesOf(endpoint, '?limit=2&page=2')).toMatchObject({
      data: [{ id: first.id }],
      pagination: { total: 3, limit: 2, offset: 2, hasMore: false, page: 2, pageSize: 2, totalPages: 2 },
    });
    for (const rubbish of ['limit=abc&page=0', 'offset=-5', 'pageSize=1e9', 'limit[]=1&page=%zz', 'a=b&&=']) {
      expect(await idsOf(`?${rubbish}`)).toEqual([third.id, second.id, first.id]);
    }
    for (const far of ['offset=9007199254740993', 'page=1e300', 'page=99999999999999999999']) {
      expect((await deliveriesOf(endpoint, `?${far}`)).pagination.total).toBe(3);
    }
    for (const time of ['0001-01-01', '9999-12-31T23:59:59Z', '1970-01-01T00:00:00%2B02:00']) {
      expect((await ask('GET', `${endpoint.at}/deliveries?since=${time}&until=${time}`)).status).toBe(200);
      const range = { since: '0001-01-01', until: decodeURIComponent(time) };
      const { replayId } = await ok<{ replayId: number }>('POST', `${endpoint.at}/replay`, range);
      await until('the replay to end', async () => {
        const replay = await ok<{ finishedAt: string | null }>('GET', `${endpoint.at}/replays/${replayId}`);
        return replay.finishedAt !== null;
      });
    }
  });

  it.each([
    'HTTPS://127.0.0.1:9/UPPER',
    'https://127.0.0.1:9/a?b=c&d=%20#fragment',
    'https://127.0.0.1:9/שלום/😀',
    'https://127.0.0.1:9',
    `https://${UNRESOLVED}/`,
    `https://bücher${UNRESOLVED}/`,
    `https://127.0.0.1:9/${'x'.repeat(2_027)}`,
    " https://127.0.0.1:9/' or 1=1 --<script> ",
    'https:\\\\127.0.0.1:9\\back',
    'https://127.0.0.1:9/line\nbreak\ttab',
  ])('may have any valid url: %s', async (url) => {
    const endpoint = await given(BASES[0], { url });
    expect(await ok('GET', endpoint.at)).toMatchObject({ url });
    const delivery = await attempted(endpoint);
    expect(delivery.attempts[0]!.failure).toMatch(/^(connect|dns|timeout)$/);
  });

  it('may have a host that does not resolve yet, and a local one only if it leads to an allowed network', async () => {
    const endpoint = await given(BASES[0]);
    const calls = [
      ['POST', BASES[0]],
      ['PUT', endpoint.at],
    ] as const;
    for (const [method, path] of calls) {
      for (const host of ['hooks.example.com', `${UNRESOLVED}.`, 'localhost:1']) {
        const answer = await ask(method, path, { url: `https://${host}/counterfoil`, events: ['*'] });
        expect(answer.status).toBe(method === 'POST' ? 201 : 200);
        if (method === 'POST') made.push(`${path}/${(JSON.parse(answer.text) as { id: string }).id}`);
      }
      const refused = await Promise.all(
        ['nowhere', 'db.internal', 'printer.local.', 'NAS.home.arpa', 'x.localhost'].map((host) =>
          ask(method, path, { url: `https://${host}/`, events: ['*'] }),
        ),
      );
      const said = refused.map(({ status, text }) => {
        const { code, error } = JSON.parse(text) as { code: string; error: string };
        return `${status} ${code} ${error}`;
      });
      expect([...new Set(said)]).toEqual([
        '400 URL_NOT_ALLOWED the host name is local, and does not lead to an address that OUTBOUND_ALLOWED_CIDRS allows',
      ]);
    }
  });

  it('must be for one of the caller’s own endpoints, of which 50 are allowed under both paths together', async () => {
    const { ownerKey } = await service.createCompany('Fifty hooks');
    const headers = { authorization: `Bearer ${ownerKey}` };
    const register = (base: string) =>
      bare('POST', base, headers, JSON.stringify({ url: receiver.url, events: ['charge.failed'] }));
    const ids: string[] = [];
    for (let count = 0; count < 50; count++) {
      const answer = await register(BASES[count % 2]!);
      expect(answer.status).toBe(201);
      const { id, secret } = JSON.parse(answer.text) as { id: string; secret: string };
      shown.push({ route: `POST ${BASES[count % 2]}`, secret });
      ids.push(id);
    }
    for (const base of BASES) expectError(await register(base), { status: 409, code: 'LIMIT_REACHED' });
    expect((await bare('PUT', `/webhooks/${ids[0]}`, headers, '{"events":["*"]}')).status).toBe(200);
    expect((await bare('DELETE', `/webhooks/${ids[0]}`, headers)).status).toBe(200);
    expect((await register(BASES[1])).status).toBe(201);
    expectError(await register(BASES[0]), { status: 409, code: 'LIMIT_REACHED' });
    const listed = await bare('GET', '/webhooks?limit=200', headers);
    expect(JSON.parse(listed.text).pagination.total).toBe(50);
    expect((await ok<Listed<object>>('GET', '/webhooks')).data).toEqual([]);
  });
});
