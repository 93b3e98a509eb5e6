import { AppError } from './app-error';

const RETRY_AFTER_SECONDS = 5;

export interface PlacesOptions {
  /** At once in one process. */
  readonly inAll: number;
  /** Of those, a company's at most, so that what is slow of one leaves room for the others. */
  readonly ofCompany: number;
  /** What they are, as whoever finds no room is told. */
  readonly what: string;
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
   * @returns what gives the place back, once
   * @throws AppError `UNAVAILABLE` when there is no room
   */
  take(companyId: number): () => void {
    const { inAll, ofCompany, what } = this.options;
    const held = this.takenBy.get(companyId) ?? 0;
    if (this.taken >= inAll || held >= ofCompany) {
      const message = `too many ${what} are under way; try again`;
      throw new AppError('UNAVAILABLE', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.taken += 1;
    this.takenBy.set(companyId, held + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.leave(companyId);
    };
  }

  private leave(companyId: number): void {
    this.taken -= 1;
    const others = (this.takenBy.get(companyId) ?? 0) - 1;
    if (others > 0) this.takenBy.set(companyId, others);
    else this.takenBy.delete(companyId);
  }
}
