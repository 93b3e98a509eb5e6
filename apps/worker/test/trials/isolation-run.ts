import { setTimeout as sleep } from 'node:timers/promises';
import { type Mood, type Pauses, percentile, type SinkExchange } from '@counterfoil/test-harness';
import type { WrittenEvent } from './event-writer';
import type { IsolationSite, Subscription } from './isolation-site';

const MEBIBYTE = 1024 ** 2;
const MEMORY_PAUSE_MS = 1_000;
const DRAIN_LIMIT_MS = 30_000;
const DRAIN_PAUSE_MS = 100;

export interface RunOptions {
  /**
   * The moods of unhealthy endpoints: the first endpoint of each of as many companies gets one when it is
   * registered.
   */
  readonly sick: readonly Mood[];
  readonly perSecond: number;
  readonly durationMs: number;
}

/** The result of a run. Times from the commit to the first byte are in milliseconds. */
export interface RunReport {
  readonly committedPerSecond: number;
  /** Number of events committed for healthy endpoints, and of those that they acknowledged. */
  readonly committed: number;
  readonly delivered: number;
  /** Number of requests to healthy endpoints with an event that they had already acknowledged. */
  readonly repeated: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly largestMs: number;
  /** Time from the last commit to the last arrival at a healthy endpoint. */
  readonly drainedMs: number;
  readonly sickRequests: number;
  readonly sickInFlightMax: number;
  /** Resident memory: the peak, and after the last delivery to healthy endpoints. */
  readonly memoryPeakMiB: number;
  readonly memoryAfterMiB: number;
  /** Heap size after a full collection. */
  readonly heapAfterMiB: number;
  /** Pauses of the machine during the run. */
  readonly pauses: Pauses;
}

/**
 * Writes events for every endpoint, some of them unhealthy, and waits until the healthy ones have theirs or a
 * time limit is over. The unhealthy endpoints keep their mood.
 */
export async function runIsolation(site: IsolationSite, options: RunOptions): Promise<RunReport> {
  const sick = await sicken(site, options.sick);
  const healthy = new Set(site.subscriptions.map(({ path }) => path));
  for (const { path } of sick) healthy.delete(path);
  const memory = followMemory(site);
  const pausesOf = await site.meter.open();
  const events = await site.writer.offer({ ...options, topics: site.subscriptions });
  const own = events.filter(({ topic }) => healthy.has(topic.path));
  const arrivals = await drain(site, healthy, own.length);
  const pauses = await pausesOf();
  const memoryAfterMiB = (await site.workerMemory()) / MEBIBYTE;
  const memoryPeakMiB = Math.max(memoryAfterMiB, await memory.peakMiB());
  const { paths } = await site.sink.state();
  const tallies = sick.map(({ path }) => paths[path]);
  return {
    ...judge(own, arrivals, await site.writer.idsOf(own)),
    committedPerSecond: (events.length - 1) / (spanMs(events) / 1_000),
    sickRequests: tallies.reduce((sum, tally) => sum + (tally?.requests ?? 0), 0),
    sickInFlightMax: Math.max(0, ...tallies.map((tally) => tally?.maxInFlight ?? 0)),
    memoryPeakMiB,
    memoryAfterMiB,
    heapAfterMiB: await site.workerHeapMiB(),
    pauses,
  };
}

/**
 * Sets the moods of the first endpoint of as many companies. The other endpoint of each company stays
 * healthy.
 */
async function sicken(site: IsolationSite, moods: readonly Mood[]): Promise<Subscription[]> {
  const firsts = site.subscriptions.filter((_, index) => index % 2 === 0);
  const sick: Subscription[] = [];
  for (const [index, mood] of moods.entries()) {
    const subscription = firsts[index];
    if (!subscription) throw new Error('more moods than companies');
    sick.push(await site.sicken(subscription, mood));
  }
  return sick;
}

async function drain(
  site: IsolationSite,
  healthy: ReadonlySet<string>,
  expected: number,
): Promise<SinkExchange[]> {
  const arrivals: SinkExchange[] = [];
  const answered = new Set<string>();
  const deadline = Date.now() + DRAIN_LIMIT_MS;
  for (;;) {
    for (const exchange of await site.sink.take()) {
      if (!healthy.has(exchange.path)) continue;
      arrivals.push(exchange);
      if (exchange.status === 200 && exchange.complete) answered.add(exchange.eventId);
    }
    if (answered.size >= expected || Date.now() > deadline) return arrivals;
    await sleep(DRAIN_PAUSE_MS);
  }
}

function judge(
  events: readonly WrittenEvent<Subscription>[],
  arrivals: readonly SinkExchange[],
  ids: ReadonlyMap<number, string>,
) {
  const firsts = new Map<string, number>();
  const answered = new Set<string>();
  let repeated = 0;
  for (const { path, eventId, at, status, complete } of arrivals) {
    const key = `${path} ${eventId}`;
    firsts.set(key, Math.min(at, firsts.get(key) ?? Infinity));
    if (answered.has(key)) repeated += 1;
    if (status === 200 && complete) answered.add(key);
  }
  const keyed = events.map((event) => ({ ...event, key: `${event.topic.path} ${ids.get(event.number)}` }));
  // A delivery that never arrived counts as infinitely late.
  const latenciesMs = keyed.map(({ key, committedAt }) => (firsts.get(key) ?? Infinity) - committedAt);
  const lastCommit = events.reduce((last, { committedAt }) => Math.max(last, committedAt), 0);
  const lastArrival = arrivals.reduce((last, { at }) => Math.max(last, at), 0);
  return {
    committed: events.length,
    delivered: keyed.filter(({ key }) => answered.has(key)).length,
    repeated,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    largestMs: percentile(latenciesMs, 1),
    drainedMs: lastArrival - lastCommit,
  };
}

function spanMs(events: readonly WrittenEvent<Subscription>[]): number {
  const times = events.map(({ committedAt }) => committedAt).sort((a, b) => a - b);
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}

/** Samples the worker's memory at intervals, and returns the peak. */
function followMemory(site: IsolationSite): { peakMiB(): Promise<number> } {
  const stopping = new AbortController();
  let peak = 0;
  const follow = async () => {
    while (!stopping.signal.aborted) {
      peak = Math.max(peak, await site.workerMemory());
      await sleep(MEMORY_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const following = follow();
  return {
    peakMiB: async () => {
      stopping.abort();
      await following;
      return peak / MEBIBYTE;
    },
  };
}
