import type { Share } from './request-scope';
import { UnavailableError } from './unavailable';

const RETRY_AFTER_SECONDS = 5;

export interface ConcurrencyLimitOptions {
  /** Slots of one process. */
  readonly total: number;
  /** Slots that one company, or other share, may hold, so that its slow work leaves slots to the others. */
  readonly perCompany: number;
  /** The limited work in the plural, for the error message. */
  readonly what: string;
  /**
   * A company may hold no more slots than it leaves free (the dynamic threshold of shared-memory switches;
   * Choudhury and Hahne, 1998). If companies take all they can one after the other, they get half of the
   * slots, a quarter, an eighth and so on: `log2(total)` companies exhaust them.
   */
  readonly dynamicThreshold?: boolean;
}

/**
 * Bounds concurrent work, in all and for each company. Refuses work beyond the bound instead of queueing it.
 */
export class ConcurrencyLimit {
  private taken = 0;
  private readonly takenBy = new Map<Share, number>();

  constructor(private readonly options: ConcurrencyLimitOptions) {}

  /**
   * Runs `work` in a slot.
   *
   * @param amount how many slots the work takes
   * @throws AppError `UNAVAILABLE` when fewer slots are free
   */
  async hold<T>(share: Share, work: () => Promise<T>, amount = 1): Promise<T> {
    const leave = this.take(share, amount);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * @param amount how many slots to take together
   * @returns a function that gives slots back: all by default, never more than were taken
   * @throws AppError `UNAVAILABLE` when fewer slots are free
   */
  take(share: Share, amount = 1): (part?: number) => void {
    if (!this.hasRoom(share, amount)) throw this.refusal();
    this.taken += amount;
    this.takenBy.set(share, this.heldBy(share) + amount);
    let left = amount;
    return (part = left) => {
      const given = Math.min(part, left);
      left -= given;
      if (given > 0) this.leave(share, given);
    };
  }

  hasRoom(share: Share, amount = 1): boolean {
    const { total, perCompany, dynamicThreshold = false } = this.options;
    const held = this.heldBy(share) + amount;
    const free = total - this.taken - amount;
    return free >= 0 && held <= perCompany && (!dynamicThreshold || held <= free);
  }

  /** Builds the error for a caller that finds no free slot. */
  refusal(): UnavailableError {
    const message = `too many ${this.options.what} are under way; try again`;
    return new UnavailableError('busy', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private heldBy(share: Share): number {
    return this.takenBy.get(share) ?? 0;
  }

  private leave(share: Share, amount: number): void {
    this.taken -= amount;
    const others = this.heldBy(share) - amount;
    if (others > 0) this.takenBy.set(share, others);
    else this.takenBy.delete(share);
  }
}
