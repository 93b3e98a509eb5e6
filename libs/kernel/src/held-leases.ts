import { inTime } from './in-time';

/** The duration of a lease unless it is renewed. */
export const LEASE_MS = 5_000;
const RENEWAL_MS = 1_000;
/** A renewal without a response for this long is given up: the next one may get another connection. */
const RENEWAL_MAX_MS = 2_000;

/** A lease while its work goes on. */
export interface HeldLease {
  /** Aborted once the lease is lost, or nobody waits for the work any more. */
  readonly lost: AbortSignal;
  /**
   * Whether the lease has certainly not expired, by the clock of this process. It may have if the process was
   * suspended, or could not reach the database. Check it before an effect that another worker must not repeat.
   */
  readonly isCurrent: () => boolean;
}

export interface HeldLeasesOptions {
  /** Extends the leases with these tokens, and returns the tokens of those whose work is to go on. */
  readonly renew: (tokens: readonly string[], leaseMs: number) => Promise<readonly string[]>;
  /** Called when leases could not be renewed, and when work took too long. */
  readonly onError: (error: unknown) => void;
  /**
   * The longest time that the work may take by its own limits. Work that takes longer hangs: it loses its lease, and
   * `during` ends.
   */
  readonly longestMs: number;
}

interface Held {
  readonly claimedAt: number;
  readonly lost: AbortController;
  readonly giveUp: (error: Error) => void;
  renewedAt: number;
}

/**
 * Renews the leases of the work under way in this process, so that a lease can be short. Work that nobody renews is
 * soon free for another attempt: its worker has died or was stopped, the end of its lease could not be written, or the
 * response to its claim was lost.
 */
export class HeldLeases {
  private readonly held = new Map<string, Held>();
  private timer: NodeJS.Timeout | undefined;
  private isRenewing = false;

  constructor(private readonly options: HeldLeasesOptions) {}

  /**
   * Runs work and renews its lease until it ends, or has taken `longestMs`. Work that hangs is then left alone, so that
   * its caller can use its slot for other work. Its later result or error is ignored, and what it still writes must be
   * fenced by its token or harmless.
   *
   * @param claimedAt when the claim was sent, by `performance.now()`
   * @throws Error if the work has taken `longestMs`
   */
  async during<T>(token: string, claimedAt: number, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    let giveUp: Held['giveUp'] = () => undefined;
    const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
    const held: Held = { claimedAt, lost: new AbortController(), giveUp, renewedAt: claimedAt };
    this.held.set(token, held);
    this.timer ??= setInterval(() => void this.renewAll(), RENEWAL_MS).unref();
    const isCurrent = (): boolean =>
      !held.lost.signal.aborted && performance.now() - held.renewedAt < LEASE_MS;
    try {
      return await Promise.race([work({ lost: held.lost.signal, isCurrent }), givenUp]);
    } finally {
      this.drop(token);
    }
  }

  private async renewAll(): Promise<void> {
    if (this.isRenewing) return;
    const at = performance.now();
    this.dropOverdue(at);
    if (this.held.size === 0) return;
    this.isRenewing = true;
    const renewed = new Map(this.held);
    try {
      const goingOn = new Set(
        await inTime(this.options.renew([...renewed.keys()], LEASE_MS), RENEWAL_MAX_MS),
      );
      for (const [token, held] of renewed) {
        if (goingOn.has(token)) held.renewedAt = at;
        else held.lost.abort();
      }
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.isRenewing = false;
    }
  }

  private dropOverdue(at: number): void {
    const { longestMs, onError } = this.options;
    for (const [token, { claimedAt, lost, giveUp }] of this.held) {
      if (at - claimedAt < longestMs) continue;
      const error = new Error(
        `the work has taken more than ${longestMs} ms; its lease is not renewed any more`,
      );
      this.drop(token);
      lost.abort();
      giveUp(error);
      onError(error);
    }
  }

  private drop(token: string): void {
    this.held.delete(token);
    if (this.held.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
