import type { CreateProductInput } from '../application/create-product';

/** Creates a product with required fields only and the given changes. */
export function aProduct(changes: Partial<CreateProductInput> = {}): CreateProductInput {
  return {
    name: 'Copier paper',
    sku: 'PAPER-A4',
    manufacturerSku: null,
    unit: null,
    buyingPrice: null,
    sellingPrice: null,
    isActive: true,
    serials: [],
    ...changes,
  };
}
