import { setTimeout as sleep } from 'node:timers/promises';
import { FAULT_POINTS } from '@counterfoil/config';
import { until } from '@counterfoil/test-harness';
import { ClockedWorker, type SharedClock } from './clocked-worker';
import type { Rng } from './trials/rng';

/** Documents of retainers settle nothing, so they do not reach the fault points of settlements. */
const POINTS = FAULT_POINTS.issuance.filter((point) => !point.startsWith('settling.'));
const PAUSE_MS = [100, 700] as const;
const READY_LIMIT_MS = 60_000;

/** Counts of what happened to the workers. */
export interface Deaths {
  /** Killed by the test at any time. */
  killed: number;
  /** Killed by a fault point while issuing a document. */
  atWork: number;
  paused: number;
}

/** Several worker processes that are killed at random and replaced. */
export class CrashingWorkers {
  readonly deaths: Deaths = { killed: 0, atWork: 0, paused: 0 };
  private workers: ClockedWorker[] = [];
  private readonly counted = new Set<ClockedWorker>();
  private readonly struck = new Set<ClockedWorker>();
  private readonly resuming: Promise<void>[] = [];

  constructor(
    private readonly clock: SharedClock,
    private readonly env: Readonly<Record<string, string>>,
    private readonly rng: Rng,
  ) {}

  async start(count: number): Promise<void> {
    for (let n = 0; n < count; n++) this.workers.push(this.another());
    await this.allReady();
  }

  /** Kills or pauses a random worker now or soon. A worker that has ended is replaced. */
  async strike(): Promise<void> {
    this.replaceDead();
    const victim = this.workers[Math.floor(this.rng.between([0, this.workers.length]))]!;
    if (!victim.works) return;
    await sleep(this.rng.between([0, 150]));
    if (this.rng.between([0, 1]) < 0.25) return this.pauseFor(victim, this.rng.between(PAUSE_MS));
    if (victim.isRunning) this.struck.add(victim);
    await victim.kill();
    this.replaceDead();
  }

  /** Replaces all workers by workers that end at a fault point of issuing, and waits until one has ended. */
  async dieAtWork(): Promise<void> {
    await Promise.all(this.resuming);
    this.replaceDead();
    for (const worker of this.workers) if (worker.isRunning) this.struck.add(worker);
    await Promise.all(this.workers.map((worker) => worker.kill()));
    this.count();
    this.workers = this.workers.map(() => this.dying());
    await until('one to end itself', () => this.workers.some(({ isRunning }) => !isRunning), READY_LIMIT_MS);
    this.replaceDead();
  }

  /** Pauses all workers but one, and returns that one. */
  async alone(): Promise<ClockedWorker> {
    await this.heal();
    const [awake, ...others] = this.workers;
    others.forEach((worker) => worker.pause());
    return awake!;
  }

  others(than: ClockedWorker): ClockedWorker[] {
    return this.workers.filter((worker) => worker !== than);
  }

  /** Stops killing workers. */
  async heal(): Promise<void> {
    await Promise.all(this.resuming);
    this.replaceDead();
    const count = this.workers.length;
    await Promise.all(this.workers.map((worker) => worker.kill()));
    this.workers = Array.from({ length: count }, () => ClockedWorker.start(this.clock, this.env));
    await this.allReady();
  }

  async stop(): Promise<void> {
    await Promise.all(this.resuming);
    await Promise.all(this.workers.map((worker) => worker.kill()));
  }

  private replaceDead(): void {
    this.count();
    this.workers = this.workers.map((worker) => (worker.isRunning ? worker : this.another()));
  }

  private count(): void {
    for (const worker of this.workers) {
      if (worker.isRunning || this.counted.has(worker)) continue;
      this.counted.add(worker);
      if (worker.endedBy !== 'SIGKILL') throw new Error(`a worker ended by ${worker.endedBy}: ${worker.log}`);
      if (this.struck.has(worker)) this.deaths.killed++;
      else this.deaths.atWork++;
    }
  }

  private another(): ClockedWorker {
    return this.rng.between([0, 1]) < 0.5 ? ClockedWorker.start(this.clock, this.env) : this.dying();
  }

  /** Starts a worker that ends at a fault point of issuing. */
  private dying(): ClockedWorker {
    const point = POINTS[Math.floor(this.rng.between([0, POINTS.length]))]!;
    return ClockedWorker.start(this.clock, { ...this.env, FAULT_POINT: point });
  }

  private async allReady(): Promise<void> {
    await until(
      'all to be ready',
      () => this.workers.every(({ works, isRunning }) => works || !isRunning),
      READY_LIMIT_MS,
    );
  }

  /** The paused worker keeps its work until its connection or its job is taken away. */
  private pauseFor(worker: ClockedWorker, milliseconds: number): void {
    worker.pause();
    this.deaths.paused++;
    this.resuming.push(sleep(milliseconds).then(() => worker.resume()));
  }
}
