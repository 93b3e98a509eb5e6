import {
  type EventSink,
  type Figures,
  type SinkExchange,
  type TestDatabase,
  until,
} from '@counterfoil/test-harness';

const DRAIN_LIMIT_MS = 120_000;

/** Requests that a sink got, compared with the deliveries in the database. */
export interface DeliveryVerdict {
  readonly exchanges: readonly SinkExchange[];
  readonly deliveries: number;
  /** Events without a delivery for an endpoint that existed before them. */
  readonly unplanned: number;
  /** Deliveries that never arrived. */
  readonly lost: number;
  /** Requests with an event that the same endpoint had already got. */
  readonly repeated: number;
}

/** Waits until no delivery is open, with a time limit. A verdict reports those that are left. */
export async function drainDeliveries(database: TestDatabase): Promise<void> {
  const nothingOpen = async (): Promise<boolean> => {
    const [open] = await database.query<{ count: number }>(
      `select (select count(*) from outbox_events where relayed_at is null)::int
            + (select count(*) from webhook_deliveries where state in ('pending', 'waiting'))::int as count`,
    );
    return open?.count === 0;
  };
  await until('every delivery to end', nothingOpen, DRAIN_LIMIT_MS).catch(() => undefined);
}

/** @param exchanges what was taken from the sink before */
export async function judgeDeliveries(
  database: TestDatabase,
  sink: EventSink,
  before: readonly SinkExchange[] = [],
): Promise<DeliveryVerdict> {
  const exchanges = [...before, ...(await sink.take())];
  const arrived = new Set(exchanges.map(({ path, eventId }) => `${path} ${eventId}`));
  const [counted] = await database.query<{ deliveries: number; planned: number }>(
    `select (select count(*) from webhook_deliveries)::int as deliveries,
            (select count(*) from outbox_events o join webhook_endpoints e
                on e.company_id = o.company_id and e.created_at < o.created_at)::int as planned`,
  );
  const { deliveries, planned } = counted!;
  return {
    exchanges,
    deliveries,
    unplanned: planned - deliveries,
    lost: deliveries - arrived.size,
    repeated: exchanges.length - arrived.size,
  };
}

/** Adds the figures of a load that lost and repeated nothing. */
export function addDeliveries(figures: Figures, verdict: DeliveryVerdict): void {
  figures.add('deliveries', verdict.deliveries, '', { atLeast: 1 });
  figures.add('events without a delivery', verdict.unplanned, '', { atMost: 0 });
  figures.add('deliveries lost', verdict.lost, '', { atMost: 0 });
  figures.add('deliveries repeated', verdict.repeated, '', { atMost: 0 });
}
