import { createHmac } from 'node:crypto';
import {
  DEMO_KEY,
  type EventReceiver,
  queueStores,
  startEventReceiver,
  startService,
  type TestService,
  until,
} from '@counterfoil/test-harness';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { StreamReader } from './stream-reader';

const STREAMS_OF_COMPANY = 10;

let service: TestService;
let receiver: EventReceiver;
let company: Awaited<ReturnType<TestService['createCompany']>>;
let readers: StreamReader[] = [];

beforeAll(async () => {
  receiver = await startEventReceiver();
  service = await startService(queueStores()[0]!, {
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
    OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
  });
  company = await service.createCompany('Of its own');
});
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});

async function connect(lastEventId?: string, key = DEMO_KEY, url = service.url): Promise<StreamReader> {
  const reader = await StreamReader.connect(url, lastEventId, key);
  readers.push(reader);
  return reader;
}

async function trigger(type = 'document.created', key = DEMO_KEY): Promise<string> {
  const { body } = await service.request<{ eventId: string }>(
    'POST',
    '/webhooks/trigger',
    { type, target: 'stream' },
    key,
  );
  return body.eventId;
}

async function triggerMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await trigger());
  return ids;
}

/** Writes an event in a transaction that stays open. @returns a function that commits it */
async function writeSlowly(id: string): Promise<() => Promise<void>> {
  const written = service.database.hold(
    `insert into outbox_events (id, company_id, type, body, created_at, relayed_at)
     select '${id}', company_id, 'document.created', '{}', now(), now() from api_keys
      where pg_current_xact_id() is not null order by id limit 1`,
  );
  await written.ready;
  return () => written.commit();
}

describe('GET /webhooks/stream', () => {
  it('sends every event of the company, with the body and the headers of a delivery', async () => {
    const [reader, other] = [await connect(), await connect(undefined, company.ownerKey)];
    expect(reader.start).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      cursor: expect.stringMatching(/^[\w-]+$/),
    });
    expect(other.start.secret).not.toBe(reader.start.secret);

    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const { body: made } = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    const items = [{ description: 'Consulting', quantity: 1, unitPrice: 100 }];
    await service.request('POST', '/documents/create/tax-invoice', { entityId: made.clientId, items });
    const foreign = await trigger('document.created', company.ownerKey);
    await Promise.all([reader.receives(1), other.receives(1)]);
    expect(other.eventIds).toEqual([foreign]);

    const { headers, body } = reader.deliveries[0]!;
    const [stored] = await service.database.query<{ body: string }>(
      'select body from outbox_events where id = $1',
      [headers['webhook-id']],
    );
    expect(body).toBe(stored!.body);
    const { secret } = reader.start;
    new StandardWebhook(secret).verify(body, headers);
    const [t = '', v1] = headers['service-signature']!.split(',');
    const digest = createHmac('sha256', secret)
      .update(`${t.replace('t=', '')}.${body}`)
      .digest('hex');
    expect(v1).toBe(`v1=${digest}`);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-type': 'document.created',
    });
    expect((await connect()).start.secret).toBe(secret);
  });

  it('resumes after any message without a gap or a repetition, also at another API', async () => {
    const reader = await connect();
    const ids = await triggerMany(6);
    await reader.receives(6);
    expect(reader.eventIds).toEqual(ids);
    reader.close();
    const later = await triggerMany(2);
    const other = await service.startApi();
    for (const [index, { cursor }] of reader.deliveries.entries()) {
      const resumed = await connect(cursor, DEMO_KEY, index % 2 === 0 ? service.url : other.url);
      const rest = [...ids.slice(index + 1), ...later];
      await resumed.receives(rest.length);
      expect(resumed.eventIds).toEqual(rest);
      resumed.close();
    }
    const whole = await connect(reader.start.cursor);
    await whole.receives(8);
    expect(whole.eventIds).toEqual([...ids, ...later]);
    await other.stop();
  });

  it('sends an event that is committed after later ones, to open streams and to those that resume', async () => {
    const reader = await connect();
    const commit = await writeSlowly('evt_slow');
    const fast = await triggerMany(2);
    await reader.receives(2);
    const cursor = reader.deliveries.at(-1)!.cursor;
    const resumed = await connect(cursor);
    await commit();
    await Promise.all([reader.receives(3), resumed.receives(1)]);
    expect(reader.eventIds).toEqual([...fast, 'evt_slow']);
    expect(resumed.eventIds).toEqual(['evt_slow']);
    const again = await connect(cursor);
    await again.receives(1);
    expect(again.eventIds).toEqual(['evt_slow']);
  });

  it('renews the cursor of a stream without events', async () => {
    const reader = await connect();
    const { cursor } = reader.start;
    await until('a heartbeat', () => reader.lastId !== cursor, 25_000);
    const resumed = await connect(reader.lastId);
    const id = await trigger();
    await Promise.all([reader.receives(1), resumed.receives(1)]);
    expect([reader.eventIds, resumed.eventIds]).toEqual([[id], [id]]);
  });

  it('refuses a cursor that it cannot continue from, and says what to do', async () => {
    const { start } = await connect(undefined, company.ownerKey);
    const kept = await service.startApi({ WEBHOOK_RETENTION: '2s' });
    const old = await connect();
    await until('the cursor to be too old', async () => {
      const late = await connect(old.start.cursor, DEMO_KEY, kept.url);
      late.close();
      return late.status === 400 && late;
    });
    const refused = [
      await connect(start.cursor),
      await connect('yesterday'),
      await connect(old.start.cursor, DEMO_KEY, kept.url),
    ];
    const told = refused.map(({ status, text }) => ({ status, ...(JSON.parse(text) as object) }));
    const wayOut = 'connect without Last-Event-ID to receive new events';
    expect(told).toEqual(
      [/not issued for the event stream/, /not issued for the event stream/, /no longer kept/].map(() =>
        expect.objectContaining({
          status: 400,
          code: 'INVALID_CURSOR',
          error: expect.stringContaining(wayOut),
        }),
      ),
    );
    expect(refused[2]!.text).toContain('no longer kept');
    await kept.stop();
  });

  it('refuses other roles than those that may read webhooks', async () => {
    const created = await service.request<{ key: string }>(
      'POST',
      '/api-keys',
      { role: 'accountant', userName: 'Accountant' },
      company.ownerKey,
    );
    const reader = await connect(undefined, created.body.key);
    expect(reader.status).toBe(403);
  });

  it('ends within seconds after its key was revoked', async () => {
    const owner = { role: 'owner', userName: 'Another owner' };
    const created = await service.request<{ key: string; id: number }>(
      'POST',
      '/api-keys',
      owner,
      company.ownerKey,
    );
    const [revoked, kept] = [
      await connect(undefined, created.body.key),
      await connect(undefined, company.ownerKey),
    ];
    const { status } = await service.request(
      'DELETE',
      `/api-keys/${created.body.id}`,
      undefined,
      company.ownerKey,
    );
    expect(status).toBe(200);
    await until('the end', () => revoked.isClosed);
    expect(kept.isClosed).toBe(false);
    expect((await connect(revoked.lastId, created.body.key)).status).toBe(401);
  });

  it('bounds the streams of a company, and frees the place of one that ended', async () => {
    const open: StreamReader[] = [];
    while (open.length < STREAMS_OF_COMPANY) open.push(await connect(undefined, company.ownerKey));
    const refused = await connect(undefined, company.ownerKey);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      503,
      expect.objectContaining({ code: 'UNAVAILABLE' }),
    ]);
    expect((await connect()).status).toBe(200);
    open[0]!.close();
    await until('a free place', async () => (await connect(undefined, company.ownerKey)).status === 200);
  });

  it('ends promptly when its process stops, and continues at another', async () => {
    const stopping = await service.startApiProcess({ DRAIN_DELAY: '5s' });
    const reader = await connect(undefined, DEMO_KEY, stopping.url);
    const id = await trigger();
    await reader.receives(1);
    let isStopped = false;
    const stopped = stopping.process.kill('SIGTERM').then((code) => {
      isStopped = true;
      return code;
    });
    await until('the end of the stream', () => reader.isClosed);
    expect(isStopped).toBe(false);
    const resumed = await connect(reader.lastId);
    const next = await trigger();
    await resumed.receives(1);
    expect([reader.eventIds, resumed.eventIds]).toEqual([[id], [next]]);
    expect(await stopped).toBe(0);
  });
});

describe('POST /webhooks/trigger', () => {
  it('sends a test event to the streams and the endpoints, and creates nothing else', async () => {
    const endpoint = { url: receiver.url, events: ['document.created'] };
    await service.request('POST', '/webhooks', endpoint);
    const reader = await connect();
    const before = await service.request('GET', '/documents');
    const onlyStream = await trigger();
    const sent = { type: 'document.created' };
    const { status, body } = await service.request<{ eventId: string }>('POST', '/webhooks/trigger', sent);
    expect([status, body]).toEqual([200, { success: true, eventId: expect.stringMatching(/^evt_/) }]);
    await reader.receives(2);
    expect(reader.eventIds).toEqual([onlyStream, body.eventId]);
    await until('the delivery', () => receiver.received.length > 0);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([body.eventId]);
    expect(receiver.received[0]!.body).toBe(reader.deliveries[1]!.body);
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      type: 'document.created',
      data: { test: true },
    });
    expect((await service.request('GET', '/documents')).body).toEqual(before.body);
  });

  it('refuses an unknown type', async () => {
    const { status, body } = await service.request('POST', '/webhooks/trigger', { type: 'document.lost' });
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
  });
});
