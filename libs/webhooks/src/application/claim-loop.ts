import { setTimeout as sleep } from 'node:timers/promises';
import type { Allotment } from '../domain/lane';

const PAUSE_AFTER_FAILURE_MS = 1_000;
/** The usual maximum duration of a claim. */
const CLAIM_MS = 2_000;

export interface ClaimSteps {
  /** Returns the lanes that may start deliveries now, with their slots. */
  readonly allot: () => readonly Allotment[];
  readonly claim: (allotments: readonly Allotment[]) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Makes claims one after the other while any lane may start deliveries. */
export class ClaimLoop {
  private running = false;
  private ended: Promise<void> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;
  private hasFailed = false;

  /** @param pauseMs the delay between two claims */
  constructor(
    private readonly steps: ClaimSteps,
    private readonly pauseMs: number,
  ) {}

  /** Claims now, or after the current claim. After a failed claim it waits for the delay. */
  run(): void {
    if (this.running || this.stopped || this.retry) return;
    this.running = true;
    this.ended = this.claimAll();
  }

  /** Resolves when the current claim ends; null if there is none. */
  get end(): Promise<void> | null {
    return this.running ? this.ended : null;
  }

  /** True from a failed claim until claims succeed again. */
  get fails(): boolean {
    return this.hasFailed;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  private async claimAll(): Promise<void> {
    const { allot, claim, failed } = this.steps;
    try {
      for (let allotments = allot(); allotments.length > 0 && !this.stopped; allotments = allot()) {
        await claim(allotments);
        this.hasFailed = false;
        if (this.pauseMs > 0) await sleep(this.pauseMs, undefined, { ref: false });
      }
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      failed(error);
      this.retry = setTimeout(() => {
        this.retry = undefined;
        this.run();
      }, PAUSE_AFTER_FAILURE_MS).unref();
    } finally {
      // There must be no await between the last allotment and this line. Then anything that becomes due
      // later calls `run` again.
      this.running = false;
    }
  }
}

/**
 * The time allowed for a claim; leases are longer by this much. If the database is slow, the next claim is
 * allowed twice the duration of the last one. The allowance shrinks as claims become faster.
 */
export class ClaimTime {
  private ms = CLAIM_MS;

  get allowedMs(): number {
    return this.ms;
  }

  /** @returns whether the claim took longer than allowed */
  note(tookMs: number): boolean {
    this.ms = Math.max(CLAIM_MS, 2 * tookMs, this.ms / 2);
    return tookMs > CLAIM_MS;
  }
}
