import { AppError, type FieldProblem } from '@counterfoil/kernel';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INVALID_PRICELIST: true;
  }
}

/** Problems named in one response. */
const PROBLEMS_MAX = 100;

/**
 * Reports a problem of a field of an entry. The empty field name means the entry itself.
 *
 * @param sentence the text for the message, when it differs from field and problem
 */
export type Report = (field: string, problem: string, sentence?: string) => void;

/**
 * Collects the problems of a pricelist (contract §6.6): the first one becomes the message, and up to a
 * hundred become the details.
 */
export class PricelistProblems {
  private readonly details: FieldProblem[] = [];
  private message = '';

  /** When full, further problems are dropped, so there is no need to read on. */
  get isFull(): boolean {
    return this.details.length >= PROBLEMS_MAX;
  }

  /**
   * Creates the reporter of one entry. It builds names only for a problem, since there are up to ten thousand
   * entries.
   *
   * @param productId null when the entry has no valid one
   */
  reporterFor(index: number, productId: number | null): Report {
    return (field, problem, sentence = `${field} ${problem}`) => {
      if (this.isFull) return;
      const entry = `entries[${index}]`;
      const named = productId === null ? entry : `${entry} (product ${productId})`;
      if (this.details.length === 0) this.message = `${named}: ${sentence.trim()}`;
      this.details.push({ field: field === '' ? entry : `${entry}.${field}`, problem });
    };
  }

  /** @throws AppError `INVALID_PRICELIST` when there is any */
  throwIfAny(): void {
    if (this.details.length === 0) return;
    throw new AppError('INVALID_PRICELIST', this.message, { details: this.details });
  }
}
