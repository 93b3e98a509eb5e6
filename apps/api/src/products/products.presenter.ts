import type { CreateProductInput, Product, ProductSerial } from '@counterfoil/catalog';
import type { Page } from '@counterfoil/pagination';
import type { ProductBody, ProductSerialBody } from './products.answers';
import type { CreateProductBody } from './products.dto';

/** What was asked for, with what was left out in its place; an empty optional text counts as left out. */
export function newProduct(body: CreateProductBody): CreateProductInput {
  return {
    name: body.name,
    sku: body.sku,
    manufacturerSku: body.manufacturerSku || null,
    unit: body.unit || null,
    buyingPrice: body.buyingPrice ?? null,
    sellingPrice: body.sellingPrice ?? null,
    isActive: body.isActive ?? true,
    serials: body.serials ?? [],
  };
}

export function productRecord({ createdAt, updatedAt, ...product }: Product): ProductBody {
  return { ...product, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** The list, with its legacy keys beside the common ones (spec: Pagination contract, rule 5). */
export function productList({ data, pagination }: Page<Product>) {
  const rows = data.map(productRecord);
  return { data: rows, pagination, products: rows, totalCount: pagination.total };
}

export function productSerial({ createdAt, ...serial }: ProductSerial): ProductSerialBody {
  return { ...serial, createdAt: createdAt.toISOString() };
}
