import type { EventType } from '@counterfoil/outbox';
import {
  type EventSink,
  freePorts,
  type Mood,
  openTestContext,
  type OpenContext,
  type PauseMeter,
  startEventSink,
  startPauseMeter,
  startProcesses,
  type ServiceProcesses,
  type TestStore,
  heapOf,
  probed,
  testConfig,
  until,
} from '@counterfoil/test-harness';
import { EventWriter, type Topic } from './event-writer';

/** Each company has one endpoint for each type, so every event goes to exactly one endpoint. */
const TYPES: readonly EventType[] = ['document.created', 'document.cancelled'];
const HOSTILE_TYPE: EventType = 'document.refunded';
const HEAP_MAX_MIB = 512;
/** Longer than any attempt. */
const QUIET_LIMIT_MS = 20_000;

/** The current endpoint for one event type of one company. */
export interface Subscription extends Topic {
  readonly key: string;
  readonly endpointId: string;
  /** The path in the sink. Paths are never reused. */
  readonly path: string;
}

export interface HostileCompany {
  readonly companyId: number;
  readonly key: string;
}

/** A service, companies with two endpoints each, and a writer of their events. */
export class IsolationSite {
  readonly subscriptions: Subscription[] = [];
  /** The topics of companies with hostile endpoints. */
  readonly hostileTopics: Topic[] = [];
  private readonly sick: Subscription[] = [];
  private paths = 0;

  private constructor(
    readonly service: ServiceProcesses,
    readonly sink: EventSink,
    readonly writer: EventWriter,
    readonly meter: PauseMeter,
    private readonly context: OpenContext,
    private readonly workerMetricsUrl: string,
  ) {}

  static async open(store: TestStore, companies: number): Promise<IsolationSite> {
    const sink = await startEventSink();
    const [metricsPort] = await freePorts(1);
    const service = await startProcesses(store, {
      NODE_EXTRA_CA_CERTS: sink.certificateFile,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
      LOG_LEVEL: 'silent',
      NODE_OPTIONS: probed(HEAP_MAX_MIB),
      WORKER_METRICS_PORT: String(metricsPort),
    });
    const config = testConfig(service.database.url, { REDIS_URL: store.redisUrl ?? '' });
    const context = await openTestContext(config);
    const writer = new EventWriter(context, service.database);
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    const site = new IsolationSite(service, sink, writer, startPauseMeter(), context, metricsUrl);
    for (let count = 0; count < companies; count++) await site.addCompany();
    return site;
  }

  /**
   * Replaces an endpoint and drops its waiting deliveries. The new endpoint has the mood from its first
   * request on.
   */
  async sicken(subscription: Subscription, mood: Mood): Promise<Subscription> {
    const sick = await this.renew(subscription, mood);
    this.sick.push(sick);
    return sick;
  }

  /** Replaces unhealthy endpoints by healthy ones. Returns the replaced ones. */
  async heal(): Promise<readonly Subscription[]> {
    const sick = this.sick.splice(0);
    for (const subscription of sick) await this.renew(subscription, { kind: 'ok' });
    return sick;
  }

  /** Makes runs independent: replaces unhealthy endpoints, and waits for requests in progress. */
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

  /** Resident memory in bytes. */
  workerMemory(): Promise<number> {
    return this.workerMetric('process_resident_memory_bytes');
  }

  /** Heap size of the worker after a full collection, in MiB. */
  async workerHeapMiB(): Promise<number> {
    return (await heapOf(this.service.worker)).used;
  }

  workerCpuSeconds(): Promise<number> {
    return this.workerMetric('process_cpu_seconds_total');
  }

  /** The first two companies also have healthy endpoints. The others have only hostile ones. */
  async companiesForHostile(count: number): Promise<HostileCompany[]> {
    const mixed = this.subscriptions.slice(0, 4).filter((_, index) => index % 2 === 0);
    const companies = mixed.map(({ companyId, key }) => ({ companyId, key }));
    while (companies.length < count) companies.push(await this.createCompany());
    for (const { companyId } of companies) this.hostileTopics.push({ companyId, type: HOSTILE_TYPE });
    return companies;
  }

  async addHostile({ key }: HostileCompany, url: string): Promise<void> {
    await this.register(key, url, HOSTILE_TYPE);
  }

  /** Counts the attempts to a URL that were recorded as answered, and as failed. */
  async attemptsTo(url: string): Promise<{ readonly answered: number; readonly failed: number }> {
    const [row] = await this.service.database.query<{ answered: number; failed: number }>(
      `select count(*) filter (where a.failure is null)::int as answered,
              count(*) filter (where a.failure is not null)::int as failed
         from webhook_attempts a
         join webhook_deliveries d on d.id = a.delivery_id join webhook_endpoints e on e.id = d.endpoint_id
        where e.url = $1`,
      [url],
    );
    return row ?? { answered: NaN, failed: NaN };
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.meter.close();
    // Closed first. Otherwise the service would wait for attempts that hang.
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
    const { companyId, key } = await this.createCompany();
    for (const type of TYPES) {
      this.subscriptions.push(await this.subscribe({ companyId, type }, key, { kind: 'ok' }));
    }
  }

  private async createCompany(): Promise<HostileCompany> {
    const { companyId, ownerKey } = await this.service.createCompany('Trial');
    return { companyId, key: ownerKey };
  }

  private async workerMetric(name: string): Promise<number> {
    const metrics = await (await fetch(this.workerMetricsUrl)).text();
    const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics) ?? [];
    return Number(value);
  }

  private async subscribe({ companyId, type }: Topic, key: string, mood: Mood): Promise<Subscription> {
    const path = `/endpoint-${this.paths++}`;
    await this.sink.setMood(path, mood);
    const endpointId = await this.register(key, this.sink.urlOf(path), type);
    return { companyId, type, key, endpointId, path };
  }

  private async register(key: string, url: string, type: EventType): Promise<string> {
    const endpoint = { url, events: [type] };
    const { status, body } = await this.service.request<{ id: string }>('POST', '/webhooks', endpoint, key);
    if (status !== 201) throw new Error(`an endpoint was not registered: ${status}`);
    return body.id;
  }
}
