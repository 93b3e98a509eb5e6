import { insertWithId, managerOf, within } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type NewProduct, ProductRepository } from '../../application/ports/product.repository';
import type { Product, ProductDetails } from '../../domain/product';
import { ProductSchema } from './product.schema';
import { ADD_SERIALS, LOCK, REMOVE_OTHER_SERIALS } from './product.sql';

@Injectable()
export class PostgresProductRepository extends ProductRepository {
  override async insert(tx: Transaction, product: NewProduct): Promise<number> {
    return insertWithId(tx, ProductSchema, product);
  }

  override async lock(tx: Transaction, companyId: number, visibleId: string): Promise<number | null> {
    return (await within(tx).first(LOCK, { companyId, visibleId }))?.id ?? null;
  }

  override async update(
    tx: Transaction,
    companyId: number,
    productId: number,
    changes: Partial<ProductDetails> & Pick<Product, 'updatedAt'>,
  ): Promise<void> {
    await managerOf(tx).update(ProductSchema, { id: productId, companyId }, changes);
  }

  override async replaceSerials(
    tx: Transaction,
    { id, companyId }: Pick<Product, 'id' | 'companyId'>,
    serials: readonly string[],
    at: Date,
  ): Promise<void> {
    await within(tx).rows(REMOVE_OTHER_SERIALS, { companyId, id, serials });
    await within(tx).rows(ADD_SERIALS, { companyId, id, serials, at });
  }
}
