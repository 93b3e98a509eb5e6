import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DEMO_KEY, freePorts, type ReceivedEvent, until } from '@counterfoil/test-harness';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expectError } from './error-body';
import {
  type Answering,
  answering,
  everythingSaid,
  ask,
  attempted,
  attemptsMade,
  BASES,
  deliveriesOf,
  type Delivery,
  type Endpoint,
  entityId,
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
  stranger,
  TIMEOUT_MS,
  UNRESOLVED,
  urlOf,
} from './webhook-calls';

serveWebhooks();

const HOUR_MS = 3_600_000;
const FLOOD_BYTES = 1024 ** 3;
const UPGRADED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
/** A cookie that a receiver sends. It must never be shown. */
const COOKIE = 'cookie-of-the-receiver';
const HEADER = 'header-of-the-receiver';
const receivedBy = ({ path }: Endpoint) => receiver.received.filter((event) => event.path === path);
const typesOf = (events: readonly ReceivedEvent[]) =>
  events.map(({ body }) => JSON.parse(body).type as string);

async function issue(): Promise<void> {
  const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
  const { status } = await service.request('POST', '/documents/create/tax-invoice', { entityId, items });
  expect(status).toBe(201);
}

/**
 * Returns the secrets that signed a request, in the order of the signatures. Each signature must be valid.
 */
function signedBy({ headers, body }: ReceivedEvent, secrets: readonly string[]): string[] {
  const [t = '', ...digests] = String(headers['service-signature']).split(',');
  const text = `${t.replace('t=', '')}.${body}`;
  return digests.map((digest) => {
    const by = secrets.find((key) => digest === `v1=${createHmac('sha256', key).update(text).digest('hex')}`);
    if (by === undefined) throw new Error(`${digest} is by none of them`);
    return by;
  });
}

/**
 * A pause of the process between its readings of the clock. The delays of the table differ by far more.
 * `deliveries.integration.spec.ts` tests the exact times, with a clock that it sets.
 */
const LATE_MAX_MS = 5_000;

/**
 * Asserts that the next attempt is due this long after the end of the last one, or slightly later. Times are
 * truncated to milliseconds and the duration is rounded separately, so the result may be 1 ms less.
 */
function expectNextAfter({ attempts, nextAttemptAt }: Delivery, delayMs: number): void {
  const { startedAt, durationMs } = attempts.at(-1)!;
  const lateMs = Date.parse(nextAttemptAt ?? '') - Date.parse(startedAt) - durationMs - delayMs;
  expect(lateMs).toBeGreaterThanOrEqual(-1);
  expect(lateMs).toBeLessThanOrEqual(LATE_MAX_MS);
}

describe.each(BASES)('an endpoint under %s', (base) => {
  it('is registered, shown, changed and removed', async () => {
    const registered = await ok<object>('POST', base, {
      url: urlOf('/first'),
      events: ['charge.failed', 'document.created', 'charge.failed'],
    });
    expect(registered).toEqual({
      success: true,
      id: expect.stringMatching(/^we_[0-9a-f]{24}$/),
      url: urlOf('/first'),
      events: ['charge.failed', 'document.created'],
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { id, url, events } = registered as { id: string; url: string; events: string[] };
    made.push(`${base}/${id}`);
    const createdAt: unknown = expect.stringMatching(/Z$/);
    const endpoint = { id, url, events, createdAt, pausedAt: null, droppedInLastDay: 0 };
    // The result is the same under both paths.
    for (const at of BASES) {
      expect(await ok('GET', `${at}/${id}`)).toEqual(endpoint);
      expect((await ok<Listed<object>>('GET', at)).data).toEqual([endpoint]);
    }
    const changed = { ...endpoint, url: urlOf('/second') };
    expect(await ok('PUT', `${base}/${id}`, { url: changed.url })).toEqual(changed);
    expect(await ok('PUT', `${base}/${id}`, { events: ['*', '*'] })).toEqual({ ...changed, events: ['*'] });
    expect(await ok('PUT', `${base}/${id}`, {})).toEqual({ ...changed, events: ['*'] });
    expect(await ok('DELETE', `${base}/${id}`)).toEqual({ success: true });
    expect((await ok<Listed<object>>('GET', base)).data).toEqual([]);
  });

  it('receives later events, and shows them with the exact bytes', async () => {
    const endpoint = await given(base, { events: ['document.created'] });
    await issue();
    const [event] = await until('the event', () => receivedBy(endpoint).length === 1 && receivedBy(endpoint));
    const [listed] = await until('the record', async () => {
      const { data } = await deliveriesOf(endpoint, '?state=delivered');
      return data.length === 1 && data;
    });
    expect(listed).toEqual({
      id: expect.any(Number),
      eventId: event!.headers['service-event-id'],
      eventType: 'document.created',
      state: 'delivered',
      createdAt: expect.stringMatching(/Z$/),
      nextAttemptAt: null,
      attempts: [
        {
          attempt: 1,
          startedAt: expect.stringMatching(/Z$/),
          durationMs: expect.any(Number),
          status: 200,
          failure: null,
          response: 'ok',
        },
      ],
    });
    const { startedAt, durationMs } = listed!.attempts[0]!;
    expect(Math.abs(Date.parse(startedAt) - event!.at)).toBeLessThan(LATE_MAX_MS);
    expect(durationMs).toBeLessThan(TIMEOUT_MS);
    const read = await ok<object>('GET', `${endpoint.at}/deliveries/${listed!.id}`);
    expect(read).toEqual({ ...listed, body: event!.body });
    expect(signedBy(event!, [endpoint.secret])).toHaveLength(1);
  });

  it('receives only the events that it subscribes to at their time', async () => {
    const [endpoint, all] = await Promise.all([given(base), given(base, { events: ['*'] })]);
    await issue();
    await until('the event at the other', () => receivedBy(all).length === 1);
    await ok('PUT', endpoint.at, { events: ['document.created'] });
    expect((await deliveriesOf(endpoint)).data).toEqual([]);
    await issue();
    await until('the second event', () => receivedBy(endpoint).length === 1 && receivedBy(all).length === 2);
    expect(receivedBy(endpoint)[0]!.body).toBe(receivedBy(all)[1]!.body);
  });

  it('keeps its events while it is paused, and receives all of them after it is resumed', async () => {
    const [endpoint, other] = await Promise.all([
      given(base, { events: ['*'] }),
      given(base, { events: ['*'] }),
    ]);
    expect(await ok('POST', `${endpoint.at}/pause`)).toEqual({ success: true });
    const { pausedAt } = await ok<{ pausedAt: string }>('GET', endpoint.at);
    expect(Math.abs(Date.parse(pausedAt) - Date.now())).toBeLessThan(5_000);
    await ok('POST', `${endpoint.at}/pause`);
    expect(await ok('GET', endpoint.at)).toMatchObject({ pausedAt });
    for (let count = 0; count < 3; count++) await issue();
    await ok('POST', `${endpoint.at}/test`);
    await until('the events at the other', () => receivedBy(other).length === 3);
    const waiting = await until('the deliveries', async () => {
      const { data } = await deliveriesOf(endpoint);
      return data.length === 4 && data;
    });
    for (const { state, attempts, nextAttemptAt } of waiting) {
      expect({ state, attempts }).toEqual({ state: 'pending', attempts: [] });
      expect(nextAttemptAt).not.toBeNull();
    }
    await ok('POST', `${endpoint.at}/deliveries/${waiting[0]!.id}/replay`);
    expect(receivedBy(endpoint)).toEqual([]);
    expect(await ok('POST', `${endpoint.at}/resume`)).toEqual({ success: true });
    await ok('POST', `${endpoint.at}/resume`);
    await until('them all', () => receivedBy(endpoint).length === 4);
    const ids = receivedBy(endpoint).map(({ headers }) => headers['service-event-id']);
    expect(ids.sort()).toEqual(waiting.map(({ eventId }) => eventId).sort());
    expect(await ok('GET', endpoint.at)).toMatchObject({ pausedAt: null });
  });

  it('can rotate its secret, and both secrets sign until the previous one ends', async () => {
    const endpoint = await given(base);
    const rotate = async (body?: object) =>
      (await ok<{ secret: string }>('POST', `${endpoint.at}/rotate-secret`, body)).secret;
    const signers = async (secrets: string[]) => {
      await attempted(endpoint);
      const event = receivedBy(endpoint).at(-1)!;
      const [by] = [signedBy(event, secrets)];
      expect(String(event.headers['webhook-signature']).split(' ')).toHaveLength(by.length);
      for (const secret of by) {
        new StandardWebhook(secret).verify(event.body, event.headers as Record<string, string>);
      }
      return by;
    };
    const first = endpoint.secret;
    const second = await rotate();
    expect(await signers([first, second])).toEqual([second, first]);
    const third = await rotate({ overlapHours: 168 });
    expect(await signers([first, second, third])).toEqual([third, second, first]);
    const fourth = await rotate({ overlapHours: 0 });
    expect(await signers([first, second, third, fourth])).toEqual([fourth]);
    for (let count = 0; count < 9; count++) await rotate();
    expectError(await ask('POST', `${endpoint.at}/rotate-secret`), { status: 409, code: 'LIMIT_REACHED' });
    await rotate({ overlapHours: 0 });
  });

  it('can receive one delivery again: the same bytes with a new signature and a restarted retry table', async () => {
    const endpoint = await given(base);
    answering.set(endpoint.path, refuse);
    const failed = await attempted(endpoint);
    expect(failed).toMatchObject({ state: 'waiting', attempts: [{ status: 500, failure: 'status' }] });
    const replay = () => ok('POST', `${endpoint.at}/deliveries/${failed.id}/replay`);
    expect(await replay()).toEqual({ success: true });
    const again = await attemptsMade(endpoint, failed.id, 2);
    expect(again.state).toBe('waiting');
    expectNextAfter(again, HOUR_MS);
    answering.delete(endpoint.path);
    await replay();
    expect(await attemptsMade(endpoint, failed.id, 3)).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3, status: 200, failure: null }],
    });
    await replay();
    await attemptsMade(endpoint, failed.id, 4);
    const sent = receivedBy(endpoint);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    for (const event of sent) expect(signedBy(event, [endpoint.secret])).toHaveLength(1);
    expect((await deliveriesOf(endpoint)).pagination.total).toBe(1);
  });

  it('can receive a range again, and shows the progress', async () => {
    const endpoint = await given(base);
    const done = [await attempted(endpoint), await attempted(endpoint)];
    answering.set(endpoint.path, refuse);
    const failed = await attempted(endpoint);
    answering.delete(endpoint.path);
    const replay = async (range: object) => {
      const { replayId } = await ok<{ replayId: number }>('POST', `${endpoint.at}/replay`, range);
      return until('the end of the replay', async () => {
        const one = await ok<{ finishedAt: string | null }>('GET', `${endpoint.at}/replays/${replayId}`);
        return one.finishedAt !== null && one;
      });
    };
    expect(await replay({ since: SINCE, until: '2026-01-02', state: 'dropped' })).toEqual({
      id: expect.any(Number),
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-02T00:00:00.000Z',
      state: 'dropped',
      deliveries: 0,
      createdAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
    });
    expect(await replay({ since: SINCE, state: 'waiting' })).toMatchObject({ deliveries: 1 });
    expect(await attemptsMade(endpoint, failed.id, 2)).toMatchObject({ state: 'delivered' });
    expect(await replay({ since: done[1]!.createdAt, until: done[1]!.createdAt })).toMatchObject({
      deliveries: 1,
      state: null,
    });
    await attemptsMade(endpoint, done[1]!.id, 2);
    expect(await replay({ since: SINCE })).toMatchObject({ deliveries: 3 });
    await attemptsMade(endpoint, done[0]!.id, 2);
    await attemptsMade(endpoint, done[1]!.id, 3);
    await attemptsMade(endpoint, failed.id, 3);
  });

  it('can receive an example of every type, which matches the catalogue', async () => {
    interface Catalogued {
      readonly type: string;
      readonly description: string;
      readonly schema: object;
      readonly example: { readonly data: object };
    }
    const { data } = await ok<{ data: Catalogued[] }>('GET', `${base}/event-types`);
    expect(data).toHaveLength(23);
    const endpoint = await given(base, { events: ['charge.captured', 'document.created'] });
    const ajv = addFormats.default(new Ajv2020({ strict: false }));
    for (const { type, schema, example } of data) {
      const { eventId } = await ok<{ eventId: string }>('POST', `${endpoint.at}/test`, { type });
      const sent = await until(type, () =>
        receivedBy(endpoint).find(({ headers }) => headers['service-event-id'] === eventId),
      );
      const body = JSON.parse(sent.body);
      expect(body).toEqual({
        id: eventId,
        type,
        created: expect.any(Number),
        data: { ...example.data, test: true },
      });
      for (const one of [body, example]) {
        expect({ type, errors: ajv.validate(schema, one) ? [] : ajv.errors }).toEqual({ type, errors: [] });
      }
    }
    await attempted(endpoint);
    expect(typesOf(receivedBy(endpoint)).at(-1)).toBe('charge.captured');
  });

  it('is unknown after its removal, and receives nothing more', async () => {
    const endpoint = await given(base, { events: ['*'] });
    const { id } = await attempted(endpoint);
    const { replayId } = await ok<{ replayId: number }>('POST', `${endpoint.at}/replay`, { since: SINCE });
    await attemptsMade(endpoint, id, 2);
    await ok('DELETE', endpoint.at);
    const gone: [method: string, rest: string, body?: object][] = [
      ['GET', ''],
      ['PUT', '', { events: ['*'] }],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${id}`],
      ['POST', `/deliveries/${id}/replay`],
      ['POST', '/replay', { since: SINCE }],
      ['GET', `/replays/${replayId}`],
    ];
    for (const [method, rest, body] of gone) {
      expectError(await ask(method, endpoint.at + rest, body), { status: 404, code: 'NOT_FOUND' });
    }
    expect(receivedBy(endpoint)).toHaveLength(2);
  });
});

describe('the outcome of an attempt', () => {
  const unanswered = { attempt: 1, status: null, response: null };

  it.each<[failure: string, what: string, answer: Answering]>([
    ['timeout', 'never answers', () => undefined],
    ['reset', 'closes the connection', (_, response) => void response.destroy()],
    ['protocol', 'does not speak HTTP', (_, response) => void response.socket?.end('nonsense\r\n\r\n')],
    ['protocol', 'switches protocols', (_, response) => void response.socket?.end(UPGRADED)],
    [
      'too_large',
      'sends headers over the limit',
      (_, response) => void response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end(),
    ],
  ])('%s: an endpoint that %s', async (failure, _, answer) => {
    const endpoint = await given(BASES[0]);
    answering.set(endpoint.path, answer);
    const delivery = await attempted(endpoint);
    expect(delivery).toMatchObject({ state: 'waiting', attempts: [{ ...unanswered, failure }] });
    expectNextAfter(delivery, HOUR_MS);
    expect(receivedBy(endpoint)).toHaveLength(1);
    const { durationMs } = delivery.attempts[0]!;
    expect(durationMs).toBeGreaterThanOrEqual(failure === 'timeout' ? TIMEOUT_MS - 5 : 0);
    expect(durationMs).toBeLessThan(TIMEOUT_MS + LATE_MAX_MS);
  });

  it.each<[failure: string, what: string, url: () => Promise<string> | string]>([
    ['dns', 'whose name does not resolve', () => `https://${UNRESOLVED}/`],
    ['connect', 'where nobody listens', async () => `https://127.0.0.1:${(await freePorts(1))[0]}/`],
    ['tls', 'whose certificate nobody trusts', () => stranger.url],
    ['tls', 'that speaks no TLS', () => service.url.replace('http:', 'https:')],
  ])('%s: an endpoint %s', async (failure, _, url) => {
    const endpoint = await given(BASES[1], { url: await url() });
    const delivery = await attempted(endpoint);
    expect(delivery).toMatchObject({ state: 'waiting', attempts: [{ ...unanswered, failure }] });
    expectNextAfter(delivery, HOUR_MS);
    expect(stranger.received).toEqual([]);
  });

  it('blocked: an endpoint whose host now leads to a forbidden address', async () => {
    const endpoint = await given(BASES[0]);
    await service.database.query('update webhook_endpoints set url = $1 where id = $2', [
      urlOf('/').replace('127.0.0.1', '127.0.0.2'),
      endpoint.id,
    ]);
    const delivery = await attempted(endpoint);
    expect(delivery).toMatchObject({ state: 'waiting', attempts: [{ ...unanswered, failure: 'blocked' }] });
    expectNextAfter(delivery, HOUR_MS);
  });

  it('any 2xx is delivered, and every other status is a failure that is retried', async () => {
    const statuses = [
      ...[200, 201, 202, 203, 204, 205, 206, 207, 226, 299],
      ...[300, 301, 302, 303, 304, 305, 307, 308, 399],
      ...[400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 421, 422, 425, 429, 451, 499],
      ...[500, 501, 502, 503, 504, 505, 507, 511, 599],
    ];
    const endpoint = await given(BASES[0]);
    const answered = new Map<string, number>();
    const left = [...statuses];
    answering.set(endpoint.path, ({ headers }, response) => {
      const status = left.shift() ?? 500;
      answered.set(String(headers['service-event-id']), status);
      response.writeHead(status, { location: '/elsewhere', 'retry-after': '1' }).end();
    });
    for (const _ of statuses) await ok('POST', `${endpoint.at}/test`);
    const data = await until('every attempt', async () => {
      const { data } = await deliveriesOf(endpoint, '?limit=200');
      return data.every(({ attempts }) => attempts.length === 1) && data;
    });
    expect(new Set(answered.values())).toEqual(new Set(statuses));
    for (const { eventId, state, nextAttemptAt, attempts } of data) {
      const status = answered.get(eventId)!;
      const acknowledged = status < 300;
      expect({ status, state, waits: nextAttemptAt !== null, attempts }).toEqual({
        status,
        state: acknowledged ? 'delivered' : 'waiting',
        waits: !acknowledged,
        attempts: [
          expect.objectContaining({ status, failure: acknowledged ? null : 'status', response: '' }),
        ],
      });
    }
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  it('is followed by retries by the table, then by dropping, and every attempt is shown', async () => {
    const endpoint = await given(BASES[0]);
    answering.set(endpoint.path, refuse);
    const { id } = await attempted(endpoint);
    for (const [index, delayMs] of [HOUR_MS, 2 * HOUR_MS, null].entries()) {
      const delivery = await attemptsMade(endpoint, id, index + 1);
      if (delayMs !== null) expectNextAfter(delivery, delayMs);
      else expect(delivery).toMatchObject({ state: 'dropped', nextAttemptAt: null });
      // Makes the delivery due. The sweep finds it.
      await service.database.query(
        `update webhook_deliveries set next_attempt_at = now() - interval '1 minute'
          where id = $1 and state = 'waiting'`,
        [id],
      );
    }
    const { data } = await deliveriesOf(endpoint, '?state=dropped');
    expect(data.map((delivery) => delivery.attempts.map(({ attempt }) => attempt))).toEqual([[1, 2, 3]]);
  });

  it('includes the first KiB of the response as text, whatever its bytes', async () => {
    const bodies: [sent: Buffer | string, shown: string][] = [
      ['', ''],
      ['x'.repeat(1024), 'x'.repeat(1024)],
      ['y'.repeat(5_000), 'y'.repeat(1024)],
      ['שלום 😀', 'שלום 😀'],
      ["'; drop table webhook_attempts; --", "'; drop table webhook_attempts; --"],
      [Buffer.from([0x61, 0, 0x62, 0xff, 0x63]), 'a\ufffdb\ufffdc'],
    ];
    const endpoint = await given(BASES[0]);
    for (const [sent, text] of bodies) {
      answering.set(endpoint.path, (_, response) => void response.writeHead(418).end(sent));
      expect((await attempted(endpoint)).attempts[0]).toMatchObject({ status: 418, response: text });
    }
  });

  it('is a success for a response of 1 GiB, of which only the beginning is read', async () => {
    const endpoint = await given(BASES[0]);
    let written = 0;
    const piece = Buffer.alloc(64 * 1024, 'z');
    const flood = (response: ServerResponse): void => {
      while (written < FLOOD_BYTES && !response.destroyed) {
        written += piece.length;
        if (!response.write(piece)) return void response.once('drain', () => flood(response));
      }
      response.end();
    };
    answering.set(endpoint.path, (_, response) => flood(response.writeHead(200)));
    expect(await attempted(endpoint)).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 200, failure: null, response: 'z'.repeat(1024) }],
    });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });
});

it('is consistent with the delivery, even while it is being sent', async () => {
  const endpoint = await given(BASES[0]);
  const asked = Array.from({ length: 40 }, () => ok('POST', `${endpoint.at}/test`));
  let seen = 0;
  await until('all to be sent', async () => {
    const { data } = await deliveriesOf(endpoint, '?limit=200');
    for (const { state, attempts } of data) {
      expect([state, attempts.map(({ failure }) => failure)]).toEqual(
        state === 'pending' ? ['pending', []] : ['delivered', [null]],
      );
    }
    seen += 1;
    return data.length === 40 && data.every(({ state }) => state === 'delivered');
  });
  await Promise.all(asked);
  expect(seen).toBeGreaterThan(1);
});

describe('confidential data', () => {
  /**
   * Returns the rows of all tables, including the queue, that contain one of these texts as text or bytes.
   */
  async function rowsWith(texts: readonly string[]): Promise<string[]> {
    const patterns = texts.flatMap((text) => [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`]);
    const tables = await service.database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await service.database.query<{ row: string }>(
        `select t::text as row from ${name} t where t::text like any ($1)`,
        [patterns],
      );
      found.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    return found;
  }

  it('includes the headers and cookies of responses, and the sent headers (contract §15.14)', async () => {
    const endpoint = await given(BASES[0]);
    for (const status of [200, 500]) {
      answering.set(endpoint.path, (_, response) => {
        const headers = {
          'set-cookie': `session=${COOKIE}`,
          'x-internal': HEADER,
          'www-authenticate': HEADER,
        };
        response.writeHead(status, headers).end('seen');
      });
      expect((await attempted(endpoint)).attempts[0]).toMatchObject({ status, response: 'seen' });
    }
    expect(await rowsWith(['"seen"', 'seen'])).not.toEqual([]);
    const signatures = receiver.received.flatMap(({ headers }) => [
      ...String(headers['service-signature']).split(',').slice(1),
      ...String(headers['webhook-signature']).split(' '),
    ]);
    expect(signatures.length).toBeGreaterThan(50);
    const hidden = [COOKIE, HEADER, DEMO_KEY, ...signatures.map((one) => one.replace(/^v1[=,]/, ''))];
    for (const text of hidden) expect(everythingSaid()).not.toContain(text);
    expect(await rowsWith(hidden)).toEqual([]);
    for (const { headers } of receiver.received) {
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  it('includes a secret after it was shown once (contract §15.3)', async () => {
    const routes = BASES.flatMap((base) => [`POST ${base}`, `POST ${base}/{id}/rotate-secret`]);
    expect(new Set(shown.map(({ route }) => route))).toEqual(new Set(routes));
    const secrets = shown.map(({ secret }) => secret);
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(secrets.length).toBeGreaterThan(50);
    const said = everythingSaid();
    expect(said).not.toContain('whsec_');
    for (const secret of secrets) expect(said).not.toContain(secret.slice(6));
    expect(await rowsWith(secrets.map((secret) => secret.slice(6)))).toEqual([]);
    expect(await rowsWith(['whsec_'])).toEqual([]);
  });
});
