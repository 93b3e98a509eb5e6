import { setTimeout as sleep } from 'node:timers/promises';
import type { Allocation } from '../domain/lane';

const PAUSE_AFTER_FAILURE_MS = 1_000;
/** The time that a claim may take while the database has its usual speed. */
const CLAIM_MS = 2_000;

export interface ClaimSteps {
  /** The lanes that may begin now, with their slots. */
  readonly allocate: () => readonly Allocation[];
  readonly claim: (allocations: readonly Allocation[]) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Claims one time after the other for as long as something may begin. */
export class ClaimLoop {
  private running = false;
  private ended: Promise<void> = Promise.resolve();
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  /** @param pauseMs from one claim to the next */
  constructor(
    private readonly steps: ClaimSteps,
    private readonly pauseMs: number,
  ) {}

  /** Claims now, or after the current claim. After a failed claim it waits for the pause. */
  run(): void {
    if (this.running || this.stopped || this.retry) return;
    this.running = true;
    this.ended = this.claimAll();
  }

  /** Resolves when no claim is being made; null where none is. */
  get end(): Promise<void> | null {
    return this.running ? this.ended : null;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  private async claimAll(): Promise<void> {
    const { allocate, claim, failed } = this.steps;
    try {
      for (let allocations = allocate(); allocations.length > 0 && !this.stopped; allocations = allocate()) {
        await claim(allocations);
        if (this.pauseMs > 0) await sleep(this.pauseMs, undefined, { ref: false });
      }
    } catch (error) {
      failed(error);
      this.retry = setTimeout(() => {
        this.retry = undefined;
        this.run();
      }, PAUSE_AFTER_FAILURE_MS).unref();
    } finally {
      // In the same turn as the last allocation: what becomes due after it claims for itself.
      this.running = false;
    }
  }
}

/**
 * How long a claim may take: the lease that it asks for is longer by as much. On a slow database it is allowed twice what
 * the last one took, so that the next one is in time; the allowance falls as claims become faster.
 */
export class ClaimTime {
  private ms = CLAIM_MS;

  get allowedMs(): number {
    return this.ms;
  }

  /** @returns whether it took longer than usual */
  note(tookMs: number): boolean {
    this.ms = Math.max(CLAIM_MS, 2 * tookMs, this.ms / 2);
    return tookMs > CLAIM_MS;
  }
}
