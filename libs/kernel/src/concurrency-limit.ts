import { AppError } from './app-error';

const RETRY_AFTER_SECONDS = 5;

export interface ConcurrencyLimitOptions {
  /** Slots of one process. */
  readonly total: number;
  /** Slots that one company may hold, so that its slow work leaves slots to the others. */
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
  private readonly takenBy = new Map<number, number>();

  constructor(private readonly options: ConcurrencyLimitOptions) {}

  /**
   * Runs `work` in a slot.
   *
   * @throws AppError `UNAVAILABLE` when no slot is free
   */
  async hold<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    const leave = this.take(companyId);
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
  take(companyId: number, amount = 1): (part?: number) => void {
    if (!this.hasRoom(companyId, amount)) throw this.refusal();
    this.taken += amount;
    this.takenBy.set(companyId, this.heldBy(companyId) + amount);
    let left = amount;
    return (part = left) => {
      const given = Math.min(part, left);
      left -= given;
      if (given > 0) this.leave(companyId, given);
    };
  }

  hasRoom(companyId: number, amount = 1): boolean {
    const { total, perCompany, dynamicThreshold = false } = this.options;
    const held = this.heldBy(companyId) + amount;
    const free = total - this.taken - amount;
    return free >= 0 && held <= perCompany && (!dynamicThreshold || held <= free);
  }

  /** Builds the error for a caller that finds no free slot. */
  refusal(): AppError {
    const message = `too many ${this.options.what} are under way; try again`;
    return new AppError('UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private heldBy(companyId: number): number {
    return this.takenBy.get(companyId) ?? 0;
  }

  private leave(companyId: number, amount: number): void {
    this.taken -= amount;
    const others = this.heldBy(companyId) - amount;
    if (others > 0) this.takenBy.set(companyId, others);
    else this.takenBy.delete(companyId);
  }
}
