import type { LaneToDestination } from '../domain/destination';
import { type Answer, OWN_SLOTS, windowAfter } from '../domain/lane';

/**
 * Each attempt that loses its connection costs a handshake, which is worth a dozen deliveries to others. An endpoint
 * that refuses, resets or floods gets what waits for it in its own time.
 */
const PAUSE_AFTER_LOST_CONNECTION_MS = 100;
/** It is doubled with each that follows, up to this. */
const PAUSE_AFTER_LOST_CONNECTION_MAX_MS = 400;

/**
 * How an endpoint has answered so far. `new`: not at all yet. `troubled`: its attempts hold their slots for long, or lose
 * their connections.
 */
export type Standing = 'well' | 'new' | 'troubled';

/** An endpoint that this worker serves. */
export class OpenLane implements LaneToDestination {
  destinations: readonly string[] = [];
  proven = false;
  inFlight = 0;
  window = OWN_SLOTS;
  /** How the last attempt went; null before the first. */
  lastAnswer: Answer | null = null;
  /** On the monotonic clock. No attempt starts earlier. */
  notBefore = 0;
  pauseMs = 0;
  /** More is due than could be claimed: to be asked for again when something ends. */
  askAgain = false;
  /** Is being claimed for. */
  claiming = false;
  /** The number of wakes, so that a wake during a claim is not lost with the claim's answer. */
  wakes = 0;

  constructor(
    readonly endpointId: string,
    readonly companyId: number,
  ) {}

  get slow(): boolean {
    return this.lastAnswer === 'slow';
  }

  get standing(): Standing {
    if (this.lastAnswer === null) return 'new';
    return this.lastAnswer === 'prompt' ? 'well' : 'troubled';
  }

  /** Whether something may begin now, as far as the lane itself is concerned. */
  mayBegin(now: number): boolean {
    return !this.claiming && this.inFlight < this.window && this.notBefore <= now;
  }

  /** Nothing is known of it that the next claim would need. */
  isIdle(now: number): boolean {
    return !this.claiming && this.inFlight === 0 && this.notBefore <= now;
  }

  /** @returns the pause before the next attempt, in milliseconds */
  note(answer: Answer): number {
    this.window = windowAfter(this, answer);
    this.lastAnswer = answer;
    this.pauseMs =
      answer === 'none'
        ? Math.min(
            Math.max(PAUSE_AFTER_LOST_CONNECTION_MS, 2 * this.pauseMs),
            PAUSE_AFTER_LOST_CONNECTION_MAX_MS,
          )
        : 0;
    if (this.pauseMs > 0) this.notBefore = performance.now() + this.pauseMs;
    return this.pauseMs;
  }

  /**
   * A new address has proven nothing. Otherwise a name could be moved to an address that never agreed to be called.
   */
  leadTo(destinations: readonly string[]): void {
    if (destinations.join() === this.destinations.join()) return;
    this.destinations = destinations;
    this.proven = false;
  }
}
