import type { SinkExchange, TestDatabase } from '@counterfoil/test-harness';
import { type Endpoint, RETRY_DELAYS_MS } from './durability-site';
import type { Kill } from './durability-faults';

/** An attempt that was answered this shortly before a kill may not have been recorded. */
const RECORDED_WITHIN_MS = 1_000;
/**
 * A repeated delivery is explained if its first attempt was answered within this time before a kill. Starting
 * processes uses both cores, so recording may be late. It is much less than the lease after which a lost
 * claim is sent again.
 */
const EXPLAINED_WITHIN_MS = 3_000;
/** Times are stored in whole milliseconds. */
const ROUNDING_MS = 1;
const EXAMPLES = 5;

export interface Verdict {
  readonly events: number;
  readonly deliveries: number;
  readonly attempts: number;
  readonly dropped: number;
  /** Number of events that a healthy endpoint did not get, counted for each such endpoint. */
  readonly lost: number;
  /** Number of events that were received but never committed. */
  readonly phantoms: number;
  /** Number of requests with an event that the same endpoint had already acknowledged. */
  readonly duplicates: number;
  /**
   * Descriptions of the duplicates that no kill of the worker or of PostgreSQL explains: the first request
   * was not in flight then.
   */
  readonly unexplained: readonly string[];
  /** Number of requests that were open when the worker or PostgreSQL was killed. */
  readonly openAtKills: number;
  /**
   * Number of requests that may not have been recorded: open at a kill, answered in the second before, or
   * received while the killed part was down.
   */
  readonly inFlightAtKills: number;
  /** Descriptions of all other faults. */
  readonly faults: readonly string[];
}

export interface Evidence {
  readonly database: TestDatabase;
  readonly endpoints: readonly Endpoint[];
  readonly exchanges: readonly SinkExchange[];
  readonly kills: readonly Kill[];
  /** The public ids of the documents that clients received. */
  readonly issued: readonly string[];
}

export async function judge(evidence: Evidence): Promise<Verdict> {
  const { database, endpoints, exchanges, issued } = evidence;
  const events = await database.query<{ id: string; companyId: number }>(
    `select id, company_id::int as "companyId" from outbox_events`,
  );
  const committed = new Set(events.map(({ id }) => id));
  const counts = await countRows(database);
  const wrongCounts =
    counts.deliveries === (events.length * endpoints.length) / companiesOf(endpoints)
      ? []
      : [`${counts.deliveries} deliveries of ${events.length} events`];
  return {
    events: events.length,
    ...counts,
    lost: missingOf(evidence, events).length,
    phantoms: exchanges.filter(({ eventId }) => !committed.has(eventId)).length,
    ...duplicatesOf(evidence),
    ...atKills(evidence),
    faults: [
      ...missingOf(evidence, events).slice(0, EXAMPLES),
      ...wrongCounts,
      ...(await faultsOfDocuments(database, issued)),
      ...(await faultsOfDeliveries(database)),
    ],
  };
}

const companiesOf = (endpoints: readonly Endpoint[]) =>
  new Set(endpoints.map(({ companyId }) => companyId)).size;

const isAcknowledged = ({ status, complete }: SinkExchange) => status === 200 && complete;

function missingOf(
  { endpoints, exchanges }: Evidence,
  events: readonly { id: string; companyId: number }[],
): string[] {
  const arrived = new Set(exchanges.filter(isAcknowledged).map(({ path, eventId }) => `${path} ${eventId}`));
  const healthy = endpoints.filter(({ isHealthy }) => isHealthy);
  return healthy.flatMap(({ path, companyId }) =>
    events
      .filter((event) => event.companyId === companyId && !arrived.has(`${path} ${event.id}`))
      .map(({ id }) => `${id} did not arrive at ${path}`),
  );
}

function duplicatesOf({ exchanges, kills }: Evidence): { duplicates: number; unexplained: string[] } {
  const acknowledged = new Map<string, SinkExchange>();
  const unexplained: string[] = [];
  let duplicates = 0;
  for (const exchange of [...exchanges].sort((a, b) => a.at - b.at)) {
    const key = `${exchange.path} ${exchange.eventId}`;
    const before = acknowledged.get(key);
    if (before) duplicates += 1;
    if (before && !wasInFlight(before, kills, EXPLAINED_WITHIN_MS))
      unexplained.push(described(before, exchange, kills));
    if (isAcknowledged(exchange)) acknowledged.set(key, exchange);
  }
  return { duplicates, unexplained };
}

function described(before: SinkExchange, again: SinkExchange, kills: readonly Kill[]): string {
  const ms = (duration: number) => `${Math.round(duration)} ms`;
  const relevant = kills.filter(({ part }) => part !== 'api').sort((a, b) => a.at - b.at);
  const last = relevant.findLast(({ at }) => at <= before.endedAt);
  const next = relevant.find(({ at }) => at > before.endedAt);
  const killed = [
    ...(last ? [`${ms(before.endedAt - last.at)} after the last kill (${last.part})`] : []),
    next ? `${ms(next.at - before.endedAt)} before the next kill (${next.part})` : 'after all kills',
  ].join(', ');
  return `${before.eventId} at ${before.path}: acknowledged ${killed}, sent again ${ms(again.at - before.at)} later`;
}

/** Counts each request once, even if several kills affected it. */
function atKills({ exchanges, kills }: Evidence) {
  const isOpen = ({ at, endedAt }: SinkExchange) =>
    kills.some((kill) => kill.part !== 'api' && at <= kill.at && endedAt >= kill.at);
  return {
    openAtKills: exchanges.filter(isOpen).length,
    inFlightAtKills: exchanges.filter((exchange) => wasInFlight(exchange, kills, RECORDED_WITHIN_MS)).length,
  };
}

/**
 * True if the request may not have been recorded because of a kill. Until a worker is back, all requests are
 * from the killed one: a busy receiver reads them only after the kill. Without PostgreSQL, the worker
 * continues, and starts requests that it had claimed before.
 */
function wasInFlight({ at, endedAt }: SinkExchange, kills: readonly Kill[], withinMs: number): boolean {
  return kills.some((kill) => kill.part !== 'api' && at <= kill.backAt && endedAt >= kill.at - withinMs);
}

async function countRows(
  database: TestDatabase,
): Promise<{ deliveries: number; attempts: number; dropped: number }> {
  const [counts] = await database.query<{ deliveries: number; attempts: number; dropped: number }>(
    `select (select count(*) from webhook_deliveries)::int as deliveries,
            (select count(*) from webhook_attempts)::int as attempts,
            (select count(*) from webhook_deliveries where state = 'dropped')::int as dropped`,
  );
  return counts ?? { deliveries: 0, attempts: 0, dropped: 0 };
}

/**
 * Every document that a client received must exist, and each existing document must have exactly one event.
 */
async function faultsOfDocuments(database: TestDatabase, issued: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ visibleId: string; events: number }>(
    `select d.visible_id as "visibleId", count(e.id)::int as events
       from documents d left join outbox_events e
         on e.type = 'document.created' and e.body::jsonb #>> '{data,document,id}' = d.visible_id::text
      group by d.visible_id`,
  );
  const there = new Set(rows.map(({ visibleId }) => visibleId));
  return [
    ...issued.filter((id) => !there.has(id)).map((id) => `document ${id} was issued and is gone`),
    ...rows
      .filter(({ events }) => events !== 1)
      .map(({ visibleId, events }) => `document ${visibleId} is told of by ${events} events`),
  ].slice(0, EXAMPLES);
}

/** Invariants of deliveries and attempts. Each query returns the deliveries that violate one. */
const RULES: Readonly<Record<string, string>> = {
  'has not ended': `select id from webhook_deliveries
    where state not in ('delivered', 'dropped') or finished_at is null`,
  'has attempts that are not numbered from 1 without a gap': `select id from numbered where attempt <> position`,
  'counts other attempts than it has': `select d.id from webhook_deliveries d
    where d.attempts <> (select count(*) from webhook_attempts a where a.delivery_id = d.id)`,
  'was tried again before its time': `select id from numbered
    where started_at < ended_before + delay_ms * interval '1 ms' - ${ROUNDING_MS} * interval '1 ms'`,
  'was tried again after it was acknowledged': `select id from numbered
    where succeeded and position < attempts`,
  'is delivered, not by its last attempt': `select d.id from webhook_deliveries d
    where d.state = 'delivered' and not exists (
      select 1 from numbered n where n.id = d.id and n.position = d.attempts and n.succeeded)`,
  'is dropped, not after as many failures as the table allows': `select d.id from webhook_deliveries d
    where d.state = 'dropped' and d.attempts <> ${RETRY_DELAYS_MS.length + 1}`,
  'is dropped though it was acknowledged': `select id from numbered where state = 'dropped' and succeeded`,
};

const NUMBERED = `with numbered as (
  select d.id, d.state, d.attempts, a.attempt, a.started_at,
         coalesce(a.status between 200 and 299 and a.failure is null, false) as succeeded,
         row_number() over own as position,
         lag(a.started_at + a.duration_ms * interval '1 ms') over own as ended_before,
         ($1::int[])[a.attempt - 1] as delay_ms
    from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id
  window own as (partition by d.id order by a.attempt)
)`;

async function faultsOfDeliveries(database: TestDatabase): Promise<string[]> {
  const faults: string[] = [];
  for (const [fault, broken] of Object.entries(RULES)) {
    const rows = await database.query<{ id: number; count: number }>(
      `${NUMBERED}, broken as (${broken})
       select id::int, (select count(distinct id) from broken)::int as count from broken
        where $1::int[] is not null group by id limit 1`,
      [RETRY_DELAYS_MS],
    );
    for (const { id, count } of rows) faults.push(`a delivery ${fault}: ${id}, and ${count - 1} more`);
  }
  return faults;
}
