import { plainDateOf } from '@counterfoil/kernel';
import {
  type Answered,
  type EventReceiver,
  startEventReceiver,
  startService,
  startTcpProxy,
  type TcpProxy,
  type TestService,
  type TestStore,
  until,
} from '@counterfoil/test-harness';

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

/** A service as it is set by default, whose database and Redis are reached through wires, and a receiver of its events. */
export class FaultSite {
  private constructor(
    readonly service: TestService,
    readonly receiver: EventReceiver,
    readonly database: TcpProxy,
    readonly redis: TcpProxy | null,
    private readonly entityId: number,
  ) {}

  static async start(store: TestStore, env: Record<string, string> = {}): Promise<FaultSite> {
    const receiver = await startEventReceiver();
    const redis = store.redisUrl === null ? null : await startTcpProxy(store.redisUrl);
    let database: TcpProxy | undefined;
    const service = await startService(
      { ...store, redisUrl: redis?.url ?? null },
      {
        NODE_EXTRA_CA_CERTS: receiver.certificateFile,
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
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
    await service.request('POST', '/webhooks', { url: receiver.url, events: ['*'] });
    return new FaultSite(service, receiver, database, redis, body.clientId);
  }

  async close(): Promise<void> {
    await this.service.stop();
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

  /** One whose first document is due today. */
  createRetainer(): Promise<Answered<{ readonly retainerId: number }>> {
    return this.service.request('POST', '/retainers/create', {
      entityId: this.entityId,
      ...ITEMS,
      ...{ interval: 'MONTHLY', nextRunDate: plainDateOf(new Date()), documentType: 'TAX_INVOICE' },
    });
  }

  /** Of a card that the provider settles later. */
  saveSlowCard(): Promise<Answered<{ readonly tokenId: number }>> {
    const token = { provider: 'sandbox', providerToken: 'tok_timeout', entityId: this.entityId };
    return this.service.request('POST', '/gateway/tokens', token);
  }

  charge(tokenId: number): Promise<Answered<{ readonly chargeId: number }>> {
    return this.service.request('POST', '/gateway/charges', { tokenId, amount: 10 });
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

/** How long it took until something was so, in ms; Infinity where it was not within the limit. */
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
