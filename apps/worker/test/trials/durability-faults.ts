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
  /** Of each of the worker, the API and PostgreSQL. */
  readonly kills: number;
  /** Of Redis, where the store is on it. */
  readonly flushes: number;
  /** How long Redis is away, once; it comes back empty. 0: never. */
  readonly redisStopMs: number;
  /** From when a part is back to its next kill, in ms. */
  readonly killPauseMs: Range;
  readonly flushPauseMs: Range;
}

export interface Kill {
  readonly part: Killed;
  /** When it was killed and when it was back: epoch ms with fractions. */
  readonly at: number;
  readonly backAt: number;
}

const now = () => performance.timeOrigin + performance.now();

/** The faults of a service. Each part is killed in a rhythm of its own, so that kills coincide by chance. */
export class DurabilityFaults {
  readonly kills: Kill[] = [];
  flushes = 0;
  /** Documents that clients were told of while Redis was away. */
  issuedWithoutRedis = 0;
  /** Processes that ended without being killed, in words. */
  readonly ends: string[] = [];
  /** The parts that are being replaced now, except for PostgreSQL. */
  private readonly away = new Set<Killed>();
  private redisBack: Promise<void> = Promise.resolve();

  constructor(
    private readonly site: DurabilitySite,
    private readonly plan: FaultPlan,
    private readonly issued: () => number,
  ) {}

  /** Resolves when all is done and everything is back; throws when something does not come back. */
  async run(): Promise<void> {
    const redis = this.site.redis ? [this.flushRedis(), this.stopRedis()] : [];
    const all = [...KILLED.map((part) => this.killAgainAndAgain(part)), ...redis];
    // A failure of one must not leave the others running.
    const outcomes = await Promise.allSettled(all);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    KILLED.forEach((part) => this.noteEnd(part));
  }

  private async killAgainAndAgain(part: Killed): Promise<void> {
    const rng = this.rng(part);
    for (let count = 0; count < this.plan.kills; count++) {
      await sleep(rng.between(this.plan.killPauseMs));
      // A process that starts needs Redis; those that run are to show that they do not.
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
        // Its dependency is unavailable at this moment, so it is started again, as any supervisor does.
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

  /** Half-way, so that there is a time before and one after. */
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
