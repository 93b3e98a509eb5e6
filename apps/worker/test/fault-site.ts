import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { plainDateOf } from '@counterfoil/kernel';
import {
  type Answered,
  DEMO_KEY,
  type EventReceiver,
  startEventReceiver,
  startProcesses,
  startTcpProxy,
  type TcpProxy,
  type ServiceProcesses,
  type TestStore,
  until,
} from '@counterfoil/test-harness';
import { fresh } from './samples';

export interface Outcome<Answer> {
  readonly status: number;
  readonly body: Answer;
  readonly retryAfter: string | null;
  readonly tookMs: number;
}

export async function outcomeOf<Answer>(call: Promise<Answered<Answer>>): Promise<Outcome<Answer>> {
  const started = Date.now();
  const { status, headers, body } = await call;
  return { status, body, retryAfter: headers.get('retry-after'), tookMs: Date.now() - started };
}

const ITEMS = { items: [{ description: 'x', quantity: 1, unitPrice: 1 }] };
/** A document that needs an allocation number. */
const LARGE = { items: [{ description: 'x', quantity: 1, unitPrice: 100_000 }] };

const UPLOAD = {
  type: 'multipart/form-data; boundary=part',
  head: '--part\r\ncontent-disposition: form-data; name="file"; filename="receipt.txt"\r\n\r\nTotal: ',
  tail: '117.00\r\n--part--\r\n',
};

/**
 * A service with default settings whose database and Redis are reached through proxies, and a receiver of its
 * events.
 */
export class FaultSite {
  private readonly mute: Server[] = [];

  private constructor(
    readonly service: ServiceProcesses,
    readonly receiver: EventReceiver,
    readonly database: TcpProxy,
    readonly redis: TcpProxy | null,
    private readonly entityId: number,
    private readonly endpointId: string,
  ) {}

  static async start(store: TestStore, env: Record<string, string> = {}): Promise<FaultSite> {
    const receiver = await startEventReceiver();
    const redis = store.redisUrl === null ? null : await startTcpProxy(store.redisUrl);
    let database: TcpProxy | undefined;
    const service = await startProcesses(
      { ...store, redisUrl: redis?.url ?? null },
      {
        ...receiver.settings,
        ...env,
      },
      async (databaseUrl) => {
        database = await startTcpProxy(databaseUrl);
        return database.url;
      },
    );
    if (!database) throw new Error('the service was started without its database');
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const { body } = await service.request<{ clientId: number }>('POST', '/clients/create', client);
    const endpoint = { url: receiver.url, events: ['*'] };
    const { id } = (await service.request<{ id: string }>('POST', '/webhooks', endpoint)).body;
    return new FaultSite(service, receiver, database, redis, body.clientId, id);
  }

  async close(): Promise<void> {
    await this.service.stop();
    for (const server of this.mute) server.close();
    await Promise.all([this.receiver.close(), this.database.close(), this.redis?.close()]);
  }

  issue(): Promise<Answered<{ readonly visibleId: string }>> {
    return this.service.request('POST', '/documents/create/tax-invoice', {
      entityId: this.entityId,
      ...ITEMS,
    });
  }

  issueLarge(): Promise<Answered<{ readonly id: number; readonly visibleId: string }>> {
    return this.service.request('POST', '/documents/create/tax-invoice', {
      entityId: this.entityId,
      ...LARGE,
    });
  }

  /** Creates a retainer whose first document is due today. */
  createRetainer(): Promise<Answered<{ readonly retainerId: number }>> {
    return this.service.request('POST', '/retainers/create', {
      entityId: this.entityId,
      ...ITEMS,
      ...{ interval: 'MONTHLY', nextRunDate: plainDateOf(new Date()), documentType: 'TAX_INVOICE' },
    });
  }

  /** Saves a card that the provider charges with a delay. */
  saveSlowCard(): Promise<Answered<{ readonly tokenId: number }>> {
    const token = { provider: 'sandbox', providerToken: 'tok_timeout', entityId: this.entityId };
    return this.service.request('POST', '/gateway/tokens', token);
  }

  charge(tokenId: number): Promise<Answered<{ readonly chargeId: number }>> {
    return this.service.request('POST', '/gateway/charges', { tokenId, amount: 10 });
  }

  upload(): Promise<Answered<unknown>> {
    return this.send([UPLOAD.head, UPLOAD.tail]);
  }

  /** Extracts the fields of a file. */
  extract(fileId: number): Promise<Answered<unknown>> {
    return this.service.request('GET', `/expenses/extract-from-file/${fileId}`);
  }

  /** Uploads a new text receipt and extracts its fields. Returns the outcome of the extraction. */
  async readText(): Promise<Outcome<unknown>> {
    const fileId = await this.service.upload(fresh());
    return outcomeOf(this.extract(fileId));
  }

  /**
   * Starts an upload.
   *
   * @returns a function that sends the rest, and returns the time until the response
   */
  async beginUpload(): Promise<() => Promise<Outcome<unknown>>> {
    const { uploads } = await this.counted();
    let finish = (): void => undefined;
    const isFinished = new Promise<void>((resolve) => (finish = resolve));
    async function* parts() {
      yield UPLOAD.head;
      await isFinished;
      yield UPLOAD.tail;
    }
    const answered = this.send(parts());
    await until('the upload to begin', async () => (await this.counted()).uploads > uploads);
    return () => {
      finish();
      return outcomeOf(answered);
    };
  }

  /**
   * Starts an extraction from a URL that sends nothing.
   *
   * @returns a function that waits for the response
   */
  async beginExtraction(): Promise<() => Promise<Outcome<unknown>>> {
    const { readings } = await this.counted();
    const mute = createServer().listen(0, '127.0.0.1');
    this.mute.push(mute);
    await once(mute, 'listening');
    const url = encodeURIComponent(`http://127.0.0.1:${(mute.address() as AddressInfo).port}/`);
    const call = this.service.request('GET', `/expenses/extract-from-url?filename=receipt.txt&url=${url}`);
    const outcome = outcomeOf(call);
    await until('the extraction to begin', async () => (await this.counted()).readings > readings);
    return () => outcome;
  }

  private async send(parts: AsyncIterable<string> | Iterable<string>): Promise<Answered<unknown>> {
    const response = await fetch(`${this.service.url}/files/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': UPLOAD.type },
      body: Readable.from(parts, { objectMode: false }),
      duplex: 'half',
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Counts the uploads and readings in progress. */
  private async counted(): Promise<{ readonly uploads: number; readonly readings: number }> {
    const [row] = await this.service.database.query<{ uploads: number; readings: number }>(
      `select (select count(*)::integer from file_uploads) as uploads,
              (select count(*)::integer from reading_requests) as readings`,
    );
    return row!;
  }

  sendTestEvent(): Promise<Answered<{ readonly eventId: string; readonly deliveryId: number }>> {
    return this.service.request('POST', `/webhooks/${this.endpointId}/test`, {});
  }

  replay(deliveryId: number): Promise<Answered<unknown>> {
    return this.service.request('POST', `/webhooks/${this.endpointId}/deliveries/${deliveryId}/replay`);
  }

  replayAllSince(since: Date): Promise<Answered<{ readonly replayId: number }>> {
    return this.service.request('POST', `/webhooks/${this.endpointId}/replay`, {
      since: since.toISOString(),
    });
  }

  resume(): Promise<Answered<unknown>> {
    return this.service.request('POST', `/webhooks/${this.endpointId}/resume`);
  }

  readonly hasArrived = (visibleId: string): boolean =>
    this.receiver.received.some(({ body }) => body.includes(visibleId));

  readonly hasBilled = (retainerId: number): boolean =>
    this.receiver.received.some(({ body }) => body.includes(`"retainerId":${retainerId}`));

  async isSettled(chargeId: number): Promise<boolean> {
    const { body } = await this.service.request<{ status: string }>('GET', `/gateway/charges/${chargeId}`);
    return body.status === 'SUCCEEDED';
  }

  async hasNumber(documentId: number): Promise<boolean> {
    const { body } = await this.service.request<{ taxAuthorityApprovalNumber: string | null }>(
      'GET',
      `/documents/${documentId}`,
    );
    return typeof body.taxAuthorityApprovalNumber === 'string';
  }
}

/** Returns the time in ms until the condition was true, or Infinity if it was not true within the limit. */
export async function msUntil(
  since: number,
  what: string,
  isSo: () => Promise<boolean> | boolean,
  limitMs: number,
): Promise<number> {
  return until(what, isSo, limitMs).then(
    () => Date.now() - since,
    () => Infinity,
  );
}
