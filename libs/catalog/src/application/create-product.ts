import { randomUUID } from 'node:crypto';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { type Caller, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { assertSerials, type Product, type ProductDetails } from '../domain/product';
import { ProductRepository } from './ports/product.repository';

export interface CreateProductInput extends ProductDetails {
  readonly serials: readonly string[];
}

export type ProductIds = Pick<Product, 'id' | 'visibleId'>;

@Injectable()
export class CreateProduct {
  constructor(
    private readonly idempotency: Idempotency,
    private readonly products: ProductRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null when the call came without an idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `VALIDATION_FAILED` for a serial number that is blank or repeated
   */
  async execute(
    { companyId }: Caller,
    { serials, ...details }: CreateProductInput,
    call: IdempotentCall<ProductIds> | null = null,
  ): Promise<ProductIds> {
    assertSerials(serials);
    const now = this.clock.now();
    const visibleId = randomUUID();
    const product = { ...details, visibleId, companyId, createdAt: now, updatedAt: now };
    return this.idempotency.run(companyId, call, async (tx) => {
      const id = await this.products.insert(tx, product);
      if (serials.length > 0) {
        await this.products.replaceSerials(tx, { id, companyId }, serials, now);
      }
      return { id, visibleId };
    });
  }
}
