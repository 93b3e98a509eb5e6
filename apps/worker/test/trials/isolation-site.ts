import type { EventType } from '@counterfoil/outbox';
import {
  type EventSink,
  freePorts,
  type Mood,
  openTestContext,
  type OpenContext,
  startEventSink,
  startService,
  type TestService,
  type TestStore,
  testConfig,
  until,
} from '@counterfoil/test-harness';
import { EventWriter, type Topic } from './event-writer';

/** Each company has an endpoint for each, so that every event goes to exactly one. */
const TYPES: readonly EventType[] = ['document.created', 'document.cancelled'];
/** Longer than an attempt can take. */
const QUIET_LIMIT_MS = 20_000;

/** Where the events of one type of one company go now. */
export interface Subscription extends Topic {
  readonly key: string;
  readonly endpointId: string;
  /** By which the sink knows the endpoint. Never used twice. */
  readonly path: string;
}

/** A service, companies with two endpoints each, and somebody who writes their events. */
export class IsolationSite {
  readonly subscriptions: Subscription[] = [];
  private readonly sick: Subscription[] = [];
  private paths = 0;

  private constructor(
    readonly service: TestService,
    readonly sink: EventSink,
    readonly writer: EventWriter,
    private readonly context: OpenContext,
    private readonly workerMetricsUrl: string,
  ) {}

  static async open(store: TestStore, companies: number): Promise<IsolationSite> {
    const sink = await startEventSink();
    const [metricsPort] = await freePorts(1);
    const service = await startService(store, {
      NODE_EXTRA_CA_CERTS: sink.certificateFile,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
      LOG_LEVEL: 'silent',
      WORKER_METRICS_PORT: String(metricsPort),
    });
    const config = testConfig(service.database.url, { REDIS_URL: store.redisUrl ?? '' });
    const context = await openTestContext(config);
    const writer = new EventWriter(context, service.database);
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const site = new IsolationSite(service, sink, writer, context, metricsUrl);
    for (let count = 0; count < companies; count++) await site.addCompany();
    return site;
  }

  /** Puts a new endpoint in the place of an old one, whose waiting deliveries go with it. It is in trouble from its first request on. */
  async sicken(subscription: Subscription, mood: Mood): Promise<Subscription> {
    const sick = await this.renew(subscription, mood);
    this.sick.push(sick);
    return sick;
  }

  /** Puts new endpoints that are well in the place of those in trouble. Answers which those were. */
  async heal(): Promise<readonly Subscription[]> {
    const sick = this.sick.splice(0);
    for (const subscription of sick) await this.renew(subscription, { kind: 'ok' });
    return sick;
  }

  /** So that one run owes nothing to the one before: no endpoint is in trouble, and no request to one is under way. */
  async recover(): Promise<void> {
    const healed = await this.heal();
    await until(
      'every request to end',
      async () => {
        const { paths } = await this.sink.state();
        return healed.every(({ path }) => (paths[path]?.inFlight ?? 0) === 0);
      },
      QUIET_LIMIT_MS,
    );
    await this.sink.take();
  }

  /** In bytes. */
  async workerMemory(): Promise<number> {
    const metrics = await (await fetch(this.workerMetricsUrl)).text();
    const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(metrics) ?? [];
    return Number(bytes);
  }

  async close(): Promise<void> {
    await this.context.close();
    // First: attempts that hang would be waited for.
    await this.sink.close();
    await this.service.stop();
  }

  private async renew(subscription: Subscription, mood: Mood): Promise<Subscription> {
    const { key, endpointId } = subscription;
    const removed = await this.service.request('DELETE', `/webhooks/${endpointId}`, undefined, key);
    if (removed.status !== 200) throw new Error(`an endpoint was not removed: ${removed.status}`);
    const renewed = await this.subscribe(subscription, key, mood);
    this.subscriptions[this.subscriptions.indexOf(subscription)] = renewed;
    return renewed;
  }

  private async addCompany(): Promise<void> {
    const created = await this.service.admin<{ companyId: number; ownerKey: string }>(
      'company:create',
      '--name',
      'Trial',
    );
    const { companyId, ownerKey } = created;
    for (const type of TYPES) {
      this.subscriptions.push(await this.subscribe({ companyId, type }, ownerKey, { kind: 'ok' }));
    }
  }

  private async subscribe({ companyId, type }: Topic, key: string, mood: Mood): Promise<Subscription> {
    const path = `/endpoint-${this.paths++}`;
    await this.sink.setMood(path, mood);
    const endpoint = { url: this.sink.urlOf(path), events: [type] };
    const { status, body } = await this.service.request<{ id: string }>('POST', '/webhooks', endpoint, key);
    if (status !== 201) throw new Error(`an endpoint was not registered: ${status}`);
    return { companyId, type, key, endpointId: body.id, path };
  }
}
