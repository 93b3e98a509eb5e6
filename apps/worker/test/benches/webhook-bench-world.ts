import type { Config } from '@counterfoil/config';
import { EVENT_CATALOGUE } from '@counterfoil/event-catalogue';
import { Transactions } from '@counterfoil/kernel';
import { type EventType, type NewEvent, Outbox } from '@counterfoil/outbox';
import {
  type EventSink,
  openTestContext,
  type OpenContext,
  type SinkExchange,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';
import { RegisterEndpoint, WebhooksModule } from '@counterfoil/webhooks';

const COLLECT_LIMIT_MS = 120_000;

/** About the size of a document snapshot. */
const DATA = { document: { note: 'x'.repeat(450) } };

/** A company with endpoints that each subscribe to one type of event, and a writer of its events. */
export class BenchCompany {
  private constructor(
    private readonly context: OpenContext,
    private readonly companyId: number,
    private readonly types: readonly EventType[],
    readonly urls: readonly string[],
    readonly secrets: readonly string[],
  ) {}

  static async open(
    config: Config,
    database: TestDatabase,
    { sink, endpoints }: { readonly sink: EventSink; readonly endpoints: number },
  ): Promise<BenchCompany> {
    const context = await openTestContext(config, [WebhooksModule.register(EVENT_CATALOGUE)]);
    const [company] = await database.query<{ id: number }>(
      `insert into companies (name, created_at) values ('Acme', now()) returning id::int`,
    );
    const companyId = company?.id ?? 0;
    const types = EVENT_CATALOGUE.types.slice(0, endpoints);
    const urls = types.map((type) => sink.urlOf(`/${companyId}/${type}`));
    const secrets: string[] = [];
    for (const [index, type] of types.entries()) {
      const caller = { companyId, userId: 1, apiKeyId: 1, role: 'owner' } as const;
      const endpoint = { url: urls[index] ?? '', events: [type] };
      secrets.push((await context.get(RegisterEndpoint).execute(caller, endpoint)).secret);
    }
    return new BenchCompany(context, companyId, types, urls, secrets);
  }

  /** Writes events in one transaction without signalling any job. */
  async writeUnsignalled(database: TestDatabase, count: number): Promise<void> {
    await database.query(
      `insert into outbox_events (id, company_id, type, body, created_at)
       select 'evt_' || gen_random_uuid(), $1, type,
              json_build_object('id', 'evt', 'type', type, 'created', 1, 'data', $4::json)::text, now()
         from (select ($2::text[])[1 + n % cardinality($2::text[])] as type from generate_series(1, $3::int) n) e`,
      [this.companyId, this.types, count, JSON.stringify(DATA)],
    );
  }

  signal(): void {
    this.context.get(Outbox).signal();
  }

  /** Commits one event for the endpoint whose turn it is. Returns the time of the commit in epoch ms. */
  async commit(turn: number): Promise<{ readonly mark: string; readonly at: number }> {
    const type = this.types[turn % this.types.length] ?? 'document.created';
    const mark = `${this.companyId}-${turn}`;
    const event = { type, data: { ...DATA, mark } as object } as NewEvent;
    await this.context.get(Transactions).run(async (tx) => {
      await this.context.get(Outbox).append(tx, this.companyId, [event]);
    });
    return { mark, at: performance.timeOrigin + performance.now() };
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** Takes exchanges from the sink until their number is reached. */
export async function collect(sink: EventSink, count: number): Promise<SinkExchange[]> {
  const taken: SinkExchange[] = [];
  await until(
    `${count} requests`,
    async () => {
      taken.push(...(await sink.take()));
      return taken.length >= count;
    },
    COLLECT_LIMIT_MS,
  );
  return taken;
}

/** Waits until the sink has received this many requests since its start. */
export async function received(sink: EventSink, count: number): Promise<void> {
  const arrived = async () => {
    const { paths } = await sink.state();
    return Object.values(paths).reduce((sum, { requests }) => sum + requests, 0) >= count;
  };
  await until(`${count} requests`, arrived, COLLECT_LIMIT_MS);
}
