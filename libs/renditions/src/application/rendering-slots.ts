import { ConcurrencyLimit } from '@counterfoil/kernel';
import { slotsFor } from '../domain/rendition';

/** Bounds the files that callers of one process wait for. */
export class RenderingSlots {
  private readonly limit: ConcurrencyLimit;

  /** @param what the files in the plural, for the error message */
  constructor(
    private readonly perCompany: number,
    what: string,
  ) {
    this.limit = new ConcurrencyLimit({ total: 4 * perCompany, perCompany, dynamicThreshold: true, what });
  }

  /**
   * @param lines those of a PDF; 0 for work that renders none
   * @throws AppError `UNAVAILABLE` if too many callers wait
   */
  hold<T>(companyId: number, lines: number, work: () => Promise<T>): Promise<T> {
    return this.limit.hold(companyId, work, slotsFor(lines, this.perCompany));
  }

  /** Like `hold`, for a caller who holds one slot already. */
  holdMore<T>(companyId: number, lines: number, work: () => Promise<T>): Promise<T> {
    return this.limit.hold(companyId, work, slotsFor(lines, this.perCompany) - 1);
  }
}
