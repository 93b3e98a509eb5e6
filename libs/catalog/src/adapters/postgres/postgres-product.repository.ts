import { insertedId, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type NewProduct, ProductRepository } from '../../application/ports/product.repository';
import type { Product, ProductDetails } from '../../domain/product';
import { ProductSchema } from './product.schema';

@Injectable()
export class PostgresProductRepository extends ProductRepository {
  override async insert(tx: Transaction, product: NewProduct): Promise<number> {
    return insertedId(await managerOf(tx).insert(ProductSchema, product));
  }

  override async lock(tx: Transaction, companyId: number, visibleId: string): Promise<number | null> {
    const [found] = await managerOf(tx).query<{ id: number }[]>(
      'select id from products where company_id = $1 and visible_id = $2 for no key update',
      [companyId, visibleId],
    );
    return found?.id ?? null;
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
    const manager = managerOf(tx);
    await manager.query(
      `delete from product_serials s using products p
        where p.company_id = $1 and p.id = $2 and s.product_id = p.id
          and not exists (select from unnest($3::text[]) kept where kept = s.serial_number)`,
      [companyId, id, serials],
    );
    await manager.query(
      `insert into product_serials (product_id, serial_number, created_at)
       select p.id, serial, $4
         from products p, unnest($3::text[]) with ordinality as serials (serial, place)
        where p.company_id = $1 and p.id = $2
          and not exists (select from product_serials s where s.product_id = p.id and s.serial_number = serial)
        order by place`,
      [companyId, id, serials, at],
    );
  }
}
