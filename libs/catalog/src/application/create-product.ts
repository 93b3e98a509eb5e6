import { randomUUID } from 'node:crypto';
import { type Caller, Clock, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertSerials, type Product, type ProductDetails } from '../domain/product';
import { ProductRepository } from './ports/product.repository';

export interface CreateProductInput extends ProductDetails {
  readonly serials: readonly string[];
}

@Injectable()
export class CreateProduct {
  constructor(
    private readonly transactions: Transactions,
    private readonly products: ProductRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `VALIDATION_FAILED` for a serial number that is blank or comes twice */
  async execute(
    { companyId }: Caller,
    { serials, ...details }: CreateProductInput,
  ): Promise<Pick<Product, 'id' | 'visibleId'>> {
    assertSerials(serials);
    const now = this.clock.now();
    const visibleId = randomUUID();
    const product = { ...details, visibleId, companyId, createdAt: now, updatedAt: now };
    const id = await this.transactions.run(async (tx) => {
      const inserted = await this.products.insert(tx, product);
      if (serials.length > 0) {
        await this.products.replaceSerials(tx, { id: inserted, companyId }, serials, now);
      }
      return inserted;
    });
    return { id, visibleId };
  }
}
