import type { Transaction } from '@counterfoil/kernel';
import type { PricelistEntry } from '../../domain/pricelist';

/** Writes pricelists. */
export abstract class PricelistRepository {
  /**
   * Makes the entries, in their order, the vendor's whole pricelist. An entry keeps its id for as long as its product
   * stays in the list. Whoever else replaces this list waits until the transaction ends.
   *
   * @param entityId a vendor of the company
   * @param entries of products of the company, each there once
   */
  abstract replace(
    tx: Transaction,
    companyId: number,
    entityId: number,
    entries: readonly PricelistEntry[],
  ): Promise<void>;
}
