import type { Transaction } from '@counterfoil/kernel';
import type { PricelistEntry } from '../../domain/pricelist';

export abstract class PricelistRepository {
  /**
   * Replaces the vendor's whole pricelist by the entries, in their order. An entry keeps its id while its
   * product stays in the list. Another replace of this list waits until the transaction ends.
   *
   * @param entityId a vendor of the company
   * @param entries each for another product of the company
   */
  abstract replace(
    tx: Transaction,
    companyId: number,
    entityId: number,
    entries: readonly PricelistEntry[],
  ): Promise<void>;
}
