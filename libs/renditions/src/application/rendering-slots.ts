import { ConcurrencyLimit } from '@counterfoil/kernel';
import { slotsFor } from '../domain/rendition';

/** Bounds the files that callers of one process wait for. */
export class RenderingSlots {
  private readonly limit: ConcurrencyLimit;

  /**
   * @param perCompany the slots that a company may hold
   * @param what the files in the plural, for the error message
   * @param most the slots that one file takes at most: by default half, so that small ones find some beside the longest,
   *   and the longest finds some beside them
   */
  constructor(
    perCompany: number,
    what: string,
    private readonly most = perCompany / 2,
  ) {
    this.limit = new ConcurrencyLimit({ total: 4 * perCompany, perCompany, dynamicThreshold: true, what });
  }

  /**
   * @param lines those of a PDF; 0 for work that renders none
   * @throws AppError `UNAVAILABLE` if too many callers wait
   */
  hold<T>(companyId: number, lines: number, work: () => Promise<T>): Promise<T> {
    return this.limit.hold(companyId, work, slotsFor(lines, this.most));
  }

  /** Like `hold`, for a caller who holds one slot already. */
  holdMore<T>(companyId: number, lines: number, work: () => Promise<T>): Promise<T> {
    const more = slotsFor(lines, this.most) - 1;
    return more === 0 ? work() : this.limit.hold(companyId, work, more);
  }
}
