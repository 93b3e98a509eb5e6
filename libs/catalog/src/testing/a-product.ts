import type { CreateProductInput } from '../application/create-product';

/** A product with nothing that may be left out, but for what is changed. */
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
