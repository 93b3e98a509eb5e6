import { setTimeout as sleep } from 'node:timers/promises';
import { flushStore } from '@counterfoil/test-harness';
import { Rng } from './rng';
import type { DurabilitySite } from './durability-site';

const START_PAUSE_MS = 100;
const START_LIMIT_MS = 60_000;

const KILLED = ['worker', 'api', 'postgresql'] as const;
export type Killed = (typeof KILLED)[number];
type Range = readonly [least: number, most: number];

export interface FaultPlan {
  readonly seed: number;
  /** Number of kills of each of the worker, the API and PostgreSQL. */
  readonly kills: number;
  /** Number of flushes of Redis, if the store is on Redis. */
  readonly flushes: number;
  /** Duration of the single outage of Redis, which loses its data. 0: no outage. */
  readonly redisStopMs: number;
  /** Time from the recovery of a part to its next kill, in ms. */
  readonly killPauseMs: Range;
  readonly flushPauseMs: Range;
}

export interface Kill {
  readonly part: Killed;
  /** Time of the kill and of the recovery: epoch ms with fractions. */
  readonly at: number;
  readonly backAt: number;
}

const now = () => performance.timeOrigin + performance.now();

/** Injects faults into a service. Each part is killed at its own random intervals, so kills may coincide. */
export class DurabilityFaults {
  readonly kills: Kill[] = [];
  flushes = 0;
  /** Number of documents that clients received while Redis was down. */
  issuedWithoutRedis = 0;
  /** Descriptions of processes that ended without being killed. */
  readonly ends: string[] = [];
  /** The parts that are being restarted, except PostgreSQL. */
  private readonly away = new Set<Killed>();
  private redisBack: Promise<void> = Promise.resolve();

  constructor(
    private readonly site: DurabilitySite,
    private readonly plan: FaultPlan,
    private readonly issued: () => number,
  ) {}

  /** Resolves after all faults, when everything is running again. Throws if a part does not recover. */
  async run(): Promise<void> {
    const redis = this.site.redis ? [this.flushRedis(), this.stopRedis()] : [];
    const all = [...KILLED.map((part) => this.killAgainAndAgain(part)), ...redis];
    // If one part fails, the others must still be stopped.
    const outcomes = await Promise.allSettled(all);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    KILLED.forEach((part) => this.noteEnd(part));
  }

  private async killAgainAndAgain(part: Killed): Promise<void> {
    const rng = this.rng(part);
    for (let count = 0; count < this.plan.kills; count++) {
      await sleep(rng.between(this.plan.killPauseMs));
      // A starting process needs Redis. Running processes must work without it.
      if (part !== 'postgresql') await this.redisBack;
      this.noteEnd(part);
      if (part !== 'postgresql') this.away.add(part);
      const at = now();
      await this.replace(part);
      this.kills.push({ part, at, backAt: now() });
      this.away.delete(part);
    }
  }

  private async replace(part: Killed): Promise<void> {
    const { service, postgres } = this.site;
    if (part === 'postgresql') {
      await postgres.kill();
      return postgres.startAgain();
    }
    const deadline = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        return await (part === 'worker' ? service.replaceWorker() : service.replaceApi());
      } catch (error) {
        // A dependency is unavailable at this moment, so it is started again, as a supervisor would do.
        if (Date.now() > deadline) throw error;
        await sleep(START_PAUSE_MS);
      }
    }
  }

  private async flushRedis(): Promise<void> {
    const rng = this.rng('flushes');
    while (this.flushes < this.plan.flushes) {
      await sleep(rng.between(this.plan.flushPauseMs));
      await flushStore(this.site.store);
      this.flushes += 1;
    }
  }

  /** In the middle, so that the run covers time before and after the outage. */
  private async stopRedis(): Promise<void> {
    const { redisStopMs, kills } = this.plan;
    const { redis, store } = this.site;
    if (redisStopMs === 0 || !redis) return;
    while (this.kills.length < (kills * KILLED.length) / 2) await sleep(START_PAUSE_MS);
    let mended = () => {};
    this.redisBack = new Promise((resolve) => (mended = resolve));
    while (this.away.size > 0) await sleep(START_PAUSE_MS);
    await redis.cut();
    const issuedBefore = this.issued();
    await sleep(redisStopMs);
    this.issuedWithoutRedis = this.issued() - issuedBefore;
    await flushStore(store);
    await redis.mend();
    mended();
  }

  private noteEnd(part: Killed): void {
    const { service } = this.site;
    const process = { worker: service.worker, api: service.api, postgresql: null }[part];
    if (process && !process.isRunning)
      this.ends.push(`the ${part} ended by itself: ${process.log.slice(-500)}`);
  }

  private rng(name: string): Rng {
    return new Rng(`${this.plan.seed} ${name}`);
  }
}
