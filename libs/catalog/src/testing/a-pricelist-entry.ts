import type { PricelistEntry } from '../domain/pricelist';

/** Creates an entry with pricing mode `default` and the given changes. */
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
