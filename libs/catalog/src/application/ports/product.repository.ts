import type { Transaction } from '@counterfoil/kernel';
import type { Product, ProductDetails } from '../../domain/product';

export type NewProduct = Omit<Product, 'id'>;

/** Writes products and their serial numbers. */
export abstract class ProductRepository {
  /** @returns the product's numeric id */
  abstract insert(tx: Transaction, product: NewProduct): Promise<number>;

  /**
   * The product's numeric id; null when the company has no such product. Other edits of it wait until the transaction
   * ends.
   *
   * @param visibleId in lower case, known to be a UUID
   */
  abstract lock(tx: Transaction, companyId: number, visibleId: string): Promise<number | null>;

  /** Changes what is given and leaves the rest as it is. */
  abstract update(
    tx: Transaction,
    companyId: number,
    productId: number,
    changes: Partial<ProductDetails> & Pick<Product, 'updatedAt'>,
  ): Promise<void>;

  /** Makes these, each there once, the product's serial numbers. Those that it has already keep their ids. */
  abstract replaceSerials(
    tx: Transaction,
    product: Pick<Product, 'id' | 'companyId'>,
    serials: readonly string[],
    at: Date,
  ): Promise<void>;
}
