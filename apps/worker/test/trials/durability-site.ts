import {
  databaseAt,
  type EventSink,
  type Mood,
  type OwnPostgres,
  startEventSink,
  startOwnPostgres,
  startServiceOn,
  startTcpProxy,
  type TcpProxy,
  type ServiceProcesses,
  type TestStore,
} from '@counterfoil/test-harness';

const COMPANIES = 3;
/** Short, so that a run uses all of them. Their number is that of contract §15.11. */
export const RETRY_DELAYS_MS = [300, 600, 1_000, 2_000, 4_000];
/** Long enough that healthy endpoints do not fail while starting processes use both cores. */
const WEBHOOK_TIMEOUT = '3s';

/** The endpoints of each company. All but the failing one are healthy. */
const MOODS = {
  ok: { kind: 'ok' },
  slow: { kind: 'slow', afterMs: 150 },
  failing: { kind: 'fail', every: 3 },
} as const satisfies Record<string, Mood>;

export interface Endpoint {
  readonly path: string;
  readonly companyId: number;
  readonly isHealthy: boolean;
}

/** A client that issues documents. */
export interface Issuer {
  readonly key: string;
  readonly entityId: number;
}

/**
 * A service in which every part can be killed: the processes, a PostgreSQL of its own, and the proxy to
 * Redis.
 */
export class DurabilitySite {
  readonly issuers: Issuer[] = [];
  readonly endpoints: Endpoint[] = [];

  private constructor(
    readonly store: TestStore,
    readonly postgres: OwnPostgres,
    readonly sink: EventSink,
    readonly redis: TcpProxy | null,
    readonly service: ServiceProcesses,
  ) {}

  static async open(store: TestStore): Promise<DurabilitySite> {
    const postgres = await startOwnPostgres();
    const sink = await startEventSink();
    const redis = store.redisUrl === null ? null : await startTcpProxy(store.redisUrl);
    try {
      const service = await startServiceOn(
        databaseAt(postgres.url),
        { ...store, redisUrl: redis?.url ?? null },
        {
          NODE_EXTRA_CA_CERTS: sink.certificateFile,
          OUTBOUND_ALLOWED_CIDRS: '127.0.0.1/32',
          WEBHOOK_RETRY_DELAYS: RETRY_DELAYS_MS.map((delay) => `${delay}ms`).join(),
          WEBHOOK_TIMEOUT,
          SCHEDULER_INTERVAL: '500ms',
          LOG_LEVEL: 'silent',
        },
      );
      const site = new DurabilitySite(store, postgres, sink, redis, service);
      for (let count = 0; count < COMPANIES; count++) await site.addCompany();
      await site.refuseAtCommit();
      return site;
    } catch (error) {
      await Promise.all([sink.close(), redis?.close(), postgres.stop()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.sink.close();
    await this.service.stop();
    await Promise.all([this.redis?.close(), this.postgres.stop()]);
  }

  private async addCompany(): Promise<void> {
    const { service, sink } = this;
    const { companyId, ownerKey } = await service.createCompany('Trial');
    const client = { name: 'Acme', taxId: '514000000', type: 'COMPANY' };
    const made = await service.request<{ clientId: number }>('POST', '/clients/create', client, ownerKey);
    this.issuers.push({ key: ownerKey, entityId: made.body.clientId });
    for (const [name, mood] of Object.entries(MOODS)) {
      const path = `/${companyId}/${name}`;
      await sink.setMood(path, mood);
      const endpoint = { url: sink.urlOf(path), events: ['*'] };
      const { status } = await service.request('POST', '/webhooks', endpoint, ownerKey);
      if (status !== 201) throw new Error(`an endpoint was not registered: ${status}`);
      this.endpoints.push({ path, companyId, isHealthy: mood.kind !== 'fail' });
    }
  }

  /** Makes some documents fail at the commit, after their number is taken and their event is written. */
  private async refuseAtCommit(): Promise<void> {
    await this.service.database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at the commit'; end $$;
      create constraint trigger refuse after insert on documents deferrable initially deferred
        for each row when (new.notes = 'refuse') execute function refuse()`);
  }
}
