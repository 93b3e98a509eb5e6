import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DEMO_KEY,
  type EventReceiver,
  oneQueueStore,
  startEventReceiver,
  startProcesses,
  type ServiceProcesses,
  until,
} from '@counterfoil/test-harness';
import { loseQueue } from './lost-queue';

interface Issued {
  readonly visibleId: string;
  readonly approvalNumberStatus: string | null;
}

interface Feed {
  readonly data: readonly {
    readonly visibleId: string;
    readonly taxAuthorityApprovalNumber: string | null;
  }[];
  readonly nextCursor: string;
}

interface Envelope {
  readonly type: string;
  readonly data: { readonly document: { readonly id: string; readonly taxAuthorityApprovalNumber: string } };
}

const COMPANY_TAX_ID = '777777715';
const ASSIGNED = 'document.approval_number.assigned';

/** A document over the threshold, for a customer who deducts VAT. */
const large = (entityId: number) => ({
  entityId,
  issueDate: '2026-06-01',
  items: [{ description: 'Work', quantity: 1, unitPrice: 6_000 }],
});

async function givenClient(service: ServiceProcesses): Promise<number> {
  const client = { name: 'Acme', taxId: '199999996', type: 'COMPANY' };
  return (await service.request<{ clientId: number }>('POST', '/clients/create', client)).body.clientId;
}

const read = (service: ServiceProcesses, { visibleId }: Issued) =>
  service.request<Record<string, unknown>>('GET', `/documents/id/${visibleId}`);

describe.each(oneQueueStore())('with the $kind queue, allocation numbers that arrive later', (store) => {
  let service: ServiceProcesses;
  let receiver: EventReceiver;
  let entityId: number;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    service = await startProcesses(store, {
      ALLOCATION_NUMBERS_SANDBOX: 'later',
      ...receiver.settings,
      SCHEDULER_INTERVAL: '500ms',
      WEBHOOK_TIMEOUT: '1s',
    });
    entityId = await givenClient(service);
    await service.request('POST', '/webhooks', { url: receiver.url, events: [ASSIGNED] });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
  });

  /** Returns the raw response. */
  async function create(key: string): Promise<{ status: number; replay: string | null; text: string }> {
    const answer = await fetch(`${service.url}/documents/create/tax-invoice`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${DEMO_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(large(entityId)),
    });
    const replay = answer.headers.get('idempotent-replay');
    return { status: answer.status, replay, text: await answer.text() };
  }

  const feedFrom = async (position: string) =>
    (await service.request<Feed>('GET', `/documents?${position}`)).body;

  it('are PENDING, then in the event, the document and its change in the feed; a replay says PENDING', async () => {
    const first = await create('key-1');
    expect(first.status).toBe(201);
    const issued = JSON.parse(first.text) as Issued;
    expect(issued).toMatchObject({ approvalNumberStatus: 'PENDING', taxAuthorityApprovalNumber: null });
    const before = await feedFrom('updatedSince=2020-01-01T00:00:00Z');

    const [event] = await until('the event', () => receiver.received.length > 0 && receiver.received);
    const { type, data } = JSON.parse(event!.body) as Envelope;
    const { taxAuthorityApprovalNumber } = data.document;
    expect(type).toBe(ASSIGNED);
    expect(taxAuthorityApprovalNumber).toMatch(/^\d{9}$/);
    expect(data.document).toMatchObject({ id: issued.visibleId, approvalNumberStatus: null });

    const assigned = { taxAuthorityApprovalNumber, approvalNumberStatus: null };
    expect((await read(service, issued)).body).toMatchObject(assigned);
    const after = await feedFrom(`cursor=${encodeURIComponent(before.nextCursor)}`);
    expect(after.data).toMatchObject([{ visibleId: issued.visibleId, ...assigned }]);
    expect(await create('key-1')).toEqual({ status: 200, replay: 'true', text: first.text });
  });

  it('exist and are reported once for each document, although the worker dies and the queue is lost', async () => {
    const issued: string[] = [];
    for (let count = 0; count < 20; count++) {
      const path = '/documents/create/tax-invoice';
      issued.push((await service.request<Issued>('POST', path, large(entityId))).body.visibleId);
    }
    await service.replaceWorker();
    await loseQueue(store, service);
    await endClaims(service);
    const told = () => receiver.received.map(({ body }) => (JSON.parse(body) as Envelope).data.document.id);
    await until('every event', () => issued.every((id) => told().includes(id)), 20_000);
    const events = await service.database.query<{ id: string }>(
      `select body::jsonb #>> '{data,document,id}' as id from outbox_events where type = $1`,
      [ASSIGNED],
    );
    expect(
      events
        .map(({ id }) => id)
        .filter((id) => issued.includes(id))
        .sort(),
    ).toEqual(issued.sort());
    expect(await service.database.query('select 1 from document_approvals')).toEqual([]);
  });
});

describe.each(oneQueueStore())('with the $kind queue, a worker that waits for the authority', (store) => {
  let authority: SilentAuthority;
  let service: ServiceProcesses;

  beforeAll(async () => {
    authority = await SilentAuthority.start();
    service = await startProcesses(store, {
      ALLOCATION_NUMBERS: 'israel',
      ALLOCATION_NUMBERS_URL: authority.url,
      ALLOCATION_NUMBERS_CLIENT_ID: 'client',
      ALLOCATION_NUMBERS_CLIENT_SECRET: 'the-secret-of-the-client',
      ALLOCATION_NUMBERS_REFRESH_TOKEN: 'the-token-of-the-consent',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
      SCHEDULER_INTERVAL: '500ms',
    });
    await service.request('PUT', '/company', { taxId: COMPANY_TAX_ID });
  });
  afterAll(async () => {
    await service?.stop();
    await authority?.close();
  });

  it('is killed, and the queue is lost: another worker requests the number, with the latest token', async () => {
    const entityId = await givenClient(service);
    const { body } = await service.request<Issued>('POST', '/documents/create/tax-invoice', large(entityId));
    expect(body.approvalNumberStatus).toBe('PENDING');
    await until('the ask', () => authority.asked.length === 1);

    authority.answers = true;
    await service.replaceWorker();
    await loseQueue(store, service);
    await endClaims(service);

    await until('the number', async () => (await read(service, body)).body['taxAuthorityApprovalNumber']);
    expect((await read(service, body)).body).toMatchObject({
      taxAuthorityApprovalNumber: '078091822',
      approvalNumberStatus: null,
    });
    expect(authority.asked).toEqual([body.visibleId, body.visibleId]);
    expect(authority.refreshTokens).toEqual(['the-token-of-the-consent', 'successor-1']);
    const logs = service.api.log + service.worker.log;
    expect(logs).not.toMatch(/the-secret-of-the-client|the-token-of-the-consent|successor-\d/);
  });

  it('stops in time without an answer, and releases its request', async () => {
    authority.answers = false;
    authority.asked.length = 0;
    const entityId = await givenClient(service);
    const { body } = await service.request<Issued>('POST', '/documents/create/tax-invoice', large(entityId));
    await until('the ask', () => authority.asked.includes(body.visibleId));
    const told = performance.now();
    expect(await service.worker.kill('SIGTERM')).toBe(0);
    expect(performance.now() - told).toBeLessThan(STOP_MS);
    authority.answers = true;
    await service.replaceWorker();
    await until('the number', async () => (await read(service, body)).body['taxAuthorityApprovalNumber']);
  });
});

/** The limit for a process to stop (contract §17.6). */
const STOP_MS = 10_000;

/** Ends all claims, instead of waiting for the lease of a dead worker. */
const endClaims = ({ database }: ServiceProcesses) =>
  database.query('update document_approvals set lease_until = now() where lease_until is not null');

/**
 * A fake authority with the features that the tests need: it replaces the refresh token at each use, and
 * answers on command.
 */
class SilentAuthority {
  readonly asked: string[] = [];
  readonly refreshTokens: string[] = [];
  answers = false;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SilentAuthority> {
    const server = createServer().listen(0, '127.0.0.1');
    const authority = new SilentAuthority(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        authority.serve(String(request.url), Buffer.concat(chunks).toString(), response),
      );
    });
    await once(server, 'listening');
    return authority;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.server.closeAllConnections();
    await closed;
  }

  private serve(path: string, body: string, response: ServerResponse): void {
    if (path.endsWith('/token')) {
      this.refreshTokens.push(new URLSearchParams(body).get('refresh_token') ?? '');
      const refresh_token = `successor-${this.refreshTokens.length}`;
      return void response.end(JSON.stringify({ access_token: 'access', expires_in: 600, refresh_token }));
    }
    this.asked.push((JSON.parse(body) as { invoice_id: string }).invoice_id);
    if (!this.answers) return;
    const confirmation_number = '20240627231846297078091822';
    response.end(JSON.stringify({ status: 200, approved: true, confirmation_number }));
  }
}
