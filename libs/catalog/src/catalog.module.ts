import { IdempotencyModule } from '@counterfoil/idempotency';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostgresPricelistReader } from './adapters/postgres/postgres-pricelist.reader';
import { PostgresPricelistRepository } from './adapters/postgres/postgres-pricelist.repository';
import { PostgresProductDirectory } from './adapters/postgres/postgres-product-directory';
import { PostgresProductReader } from './adapters/postgres/postgres-product.reader';
import { PostgresProductRepository } from './adapters/postgres/postgres-product.repository';
import { ProductSchema } from './adapters/postgres/product.schema';
import { CreateProduct } from './application/create-product';
import { EditProduct } from './application/edit-product';
import { PricelistReader } from './application/ports/pricelist.reader';
import { PricelistRepository } from './application/ports/pricelist.repository';
import { ProductDirectory } from './application/ports/product-directory';
import { ProductReader } from './application/ports/product.reader';
import { ProductRepository } from './application/ports/product.repository';
import { ReadPricelist } from './application/read-pricelist';
import { ReplacePricelist } from './application/replace-pricelist';

@Module({
  imports: [PartiesModule, IdempotencyModule, TypeOrmModule.forFeature([ProductSchema])],
  providers: [
    CreateProduct,
    EditProduct,
    ReadPricelist,
    ReplacePricelist,
    { provide: PricelistReader, useClass: PostgresPricelistReader },
    { provide: PricelistRepository, useClass: PostgresPricelistRepository },
    { provide: ProductDirectory, useClass: PostgresProductDirectory },
    { provide: ProductReader, useClass: PostgresProductReader },
    { provide: ProductRepository, useClass: PostgresProductRepository },
  ],
  exports: [CreateProduct, EditProduct, ProductDirectory, ProductReader, ReadPricelist, ReplacePricelist],
})
export class CatalogModule {}
