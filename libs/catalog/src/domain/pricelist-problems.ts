import { AppError, type FieldProblem } from '@counterfoil/kernel';

declare module '@counterfoil/kernel' {
  interface ErrorCodes {
    INVALID_PRICELIST: true;
  }
}

/** Problems named in one answer. */
const PROBLEMS_MAX = 100;

/** Notes what is wrong with a field of an entry; the empty field is the entry itself. */
export type Report = (field: string, problem: string, sentence?: string) => void;

/** What is wrong with a pricelist (decisions §2): the first problem in words, and up to a hundred by their fields. */
export class PricelistProblems {
  private readonly details: FieldProblem[] = [];
  private message = '';

  /** Whether it takes no more, and reading on would be of no use. */
  get isFull(): boolean {
    return this.details.length >= PROBLEMS_MAX;
  }

  /**
   * For one entry. Names are built only where there is a problem to tell: there are ten thousand entries.
   *
   * @param productId what the entry is about, where that can be told
   */
  of(index: number, productId: number | null): Report {
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
