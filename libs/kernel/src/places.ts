import { AppError } from './app-error';

const RETRY_AFTER_SECONDS = 5;

export interface PlacesOptions {
  /** At once in one process. */
  readonly inAll: number;
  /** Of those, a company's at most, so that what is slow of one leaves room for the others. */
  readonly ofCompany: number;
  /** What they are, as whoever finds no room is told. */
  readonly what: string;
  /**
   * A company may hold no more than it leaves free (the dynamic threshold of shared-memory switches; Choudhury and
   * Hahne, 1998). Companies that take all they can one after the other get half of the places, a quarter, an eighth and
   * so on: it takes `log2(inAll)` of them to leave none.
   */
  readonly leavesRoom?: boolean;
}

/** Counts what is under way, and refuses what there is no room for. */
export class Places {
  private taken = 0;
  private readonly takenBy = new Map<number, number>();

  constructor(private readonly options: PlacesOptions) {}

  /** @throws AppError `UNAVAILABLE` when there is no room */
  async hold<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    const leave = this.take(companyId);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * @param amount how many places are taken together
   * @returns gives so many of them back, all that are left by default, and never more than were taken
   * @throws AppError `UNAVAILABLE` when there is no room
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
    const { inAll, ofCompany, leavesRoom = false } = this.options;
    const held = this.heldBy(companyId) + amount;
    const free = inAll - this.taken - amount;
    return free >= 0 && held <= ofCompany && (!leavesRoom || held <= free);
  }

  /** The error for a caller that finds no room. */
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
