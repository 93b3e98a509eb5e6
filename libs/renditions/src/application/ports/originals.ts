import type { Transaction } from '@counterfoil/kernel';

/** Records which documents have been handed over as the original. */
export abstract class Originals {
  /**
   * Of several transactions at once, only the one that commits first takes the original. The others wait for it.
   *
   * @returns false if it has been taken before
   */
  abstract take(tx: Transaction, companyId: number, documentId: number): Promise<boolean>;
}
