import { setTimeout as sleep } from 'node:timers/promises';
import { flushStore, type SinkExchange, type TestStore, until } from '@counterfoil/test-harness';
import { DocumentLoad } from './document-load';
import { DurabilityFaults, type FaultPlan, type Kill } from './durability-faults';
import { type Verdict, judge } from './durability-checker';
import { DurabilitySite } from './durability-site';

const COLLECT_PAUSE_MS = 500;
/** After a kill, the lease must expire, and then six attempts may be needed. */
const DRAIN_LIMIT_MS = 120_000;

export interface DurabilityPlan extends FaultPlan {
  readonly documentsPerSecond: number;
}

export interface DurabilityReport extends Verdict {
  readonly kills: readonly Kill[];
  readonly flushes: number;
  readonly issued: number;
  readonly refused: number;
  /** Number of repeated calls of clients. */
  readonly retries: number;
  readonly issuedWithoutRedis: number;
  /** Time from the end of all faults and calls to the last open delivery, in ms. */
  readonly drainedMs: number;
}

/**
 * Issues documents while everything is killed repeatedly, waits for the deliveries, and checks the result.
 */
export async function runDurability(store: TestStore, plan: DurabilityPlan): Promise<DurabilityReport> {
  const site = await DurabilitySite.open(store);
  const collecting = collect(site);
  try {
    const load = new DocumentLoad(site, plan.documentsPerSecond);
    const faults = new DurabilityFaults(site, plan, () => load.issued.length);
    await faults.run().finally(() => load.stop());
    const drainedMs = await drain(site);
    const exchanges = await collecting.stop();
    const { database } = site.service;
    const { endpoints } = site;
    const { issued, refused, retries } = load;
    const { kills, flushes, issuedWithoutRedis } = faults;
    const verdict = await judge({ database, endpoints, exchanges, kills, issued });
    const counted = {
      kills,
      flushes,
      issuedWithoutRedis,
      issued: issued.length,
      refused,
      retries,
      drainedMs,
    };
    return { ...verdict, ...counted, faults: [...verdict.faults, ...load.faults, ...faults.ends] };
  } finally {
    await collecting.stop();
    await site.close();
    if (store.redisUrl !== null) await flushStore(store);
  }
}

/** Waits until no delivery is open, with a time limit. The checker reports missing deliveries. */
async function drain({ service }: DurabilitySite): Promise<number> {
  const started = performance.now();
  const nothingOpen = async () => {
    const [open] = await service.database.query<{ count: number }>(
      `select (select count(*) from outbox_events where relayed_at is null)::int
            + (select count(*) from webhook_deliveries where state in ('pending', 'waiting'))::int as count`,
    );
    return open?.count === 0;
  };
  await until('every delivery to end', nothingOpen, DRAIN_LIMIT_MS).catch(() => undefined);
  return performance.now() - started;
}

/** Takes finished exchanges from the sink at intervals. */
function collect({ sink }: DurabilitySite): { stop(): Promise<readonly SinkExchange[]> } {
  const stopping = new AbortController();
  const exchanges: SinkExchange[] = [];
  const run = async () => {
    for (;;) {
      const isLast = stopping.signal.aborted;
      for (const exchange of await sink.take()) exchanges.push(exchange);
      if (isLast) return;
      await sleep(COLLECT_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      return exchanges;
    },
  };
}
