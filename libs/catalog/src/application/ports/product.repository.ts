import type { Transaction } from '@counterfoil/kernel';
import type { Product, ProductDetails } from '../../domain/product';

export type NewProduct = Omit<Product, 'id'>;

export abstract class ProductRepository {
  /** @returns the product's numeric id */
  abstract insert(tx: Transaction, product: NewProduct): Promise<number>;

  /**
   * Locks a product until the transaction ends, so that other edits of it wait.
   *
   * @param visibleId a UUID in lower case
   * @returns the numeric id; null when the company has no such product
   */
  abstract lock(tx: Transaction, companyId: number, visibleId: string): Promise<number | null>;

  /** Writes the given fields and leaves the others. */
  abstract update(
    tx: Transaction,
    companyId: number,
    productId: number,
    changes: Partial<ProductDetails> & Pick<Product, 'updatedAt'>,
  ): Promise<void>;

  /** Replaces the product's serial numbers. Existing ones keep their ids. `serials` must not repeat any. */
  abstract replaceSerials(
    tx: Transaction,
    product: Pick<Product, 'id' | 'companyId'>,
    serials: readonly string[],
    at: Date,
  ): Promise<void>;
}
