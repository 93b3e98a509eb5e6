import { AppError, type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertSerials } from '../domain/product';
import type { CreateProductInput } from './create-product';
import { ProductRepository } from './ports/product.repository';

/** Fields that are left out stay as they are. Serial numbers are replaced as a whole. */
export type EditProductInput = Partial<CreateProductInput>;

@Injectable()
export class EditProduct {
  constructor(
    private readonly transactions: Transactions,
    private readonly products: ProductRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param visibleId a UUID in lower case
   * @throws AppError `NOT_FOUND` for an unknown product, `VALIDATION_FAILED` for a serial number that is
   *   blank or repeated
   */
  async execute(
    { companyId }: Caller,
    visibleId: string,
    { serials, ...details }: EditProductInput,
  ): Promise<void> {
    if (serials) assertSerials(serials);
    await this.transactions.run(async (tx) => {
      const id = await this.products.lock(tx, companyId, visibleId);
      if (id === null) throw new AppError('NOT_FOUND', 'this company has no product with this id');
      if (!serials && Object.keys(details).length === 0) return;
      // Read the clock under the lock, so that the later of two concurrent edits has the later time.
      const updatedAt = this.clock.now();
      await this.products.update(tx, companyId, id, { ...details, updatedAt });
      if (serials) await this.products.replaceSerials(tx, { id, companyId }, serials, updatedAt);
    });
  }
}
