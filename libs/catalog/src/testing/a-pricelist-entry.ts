import type { PricelistEntry } from '../domain/pricelist';

/** An entry by the product's own price, but for what is changed. */
export function aPricelistEntry(changes: Partial<PricelistEntry> = {}): PricelistEntry {
  return {
    productId: 1,
    vendorSku: null,
    pricingMode: 'default',
    buyingPrice: null,
    priceTiers: null,
    tiersMode: null,
    quantityStep: null,
    quantityStepPrice: null,
    ...changes,
  };
}
