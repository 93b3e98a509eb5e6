import type { ListedEntry, Quote } from '@counterfoil/catalog';
import type { PricelistBody, PricelistEntryAnswer, QuoteBody } from './pricelists.answers';

export function pricelist(entries: readonly ListedEntry[]): PricelistBody {
  return { entries: entries.map(pricelistEntry) };
}

function pricelistEntry(entry: ListedEntry): PricelistEntryAnswer {
  return {
    id: entry.id,
    productId: entry.productId,
    productVisibleId: entry.productVisibleId,
    productName: entry.productName,
    productSku: entry.productSku,
    productManufacturerSku: entry.productManufacturerSku,
    productUnit: entry.productUnit,
    productBuyingPrice: entry.productBuyingPrice,
    vendorSku: entry.vendorSku,
    pricingMode: entry.pricingMode,
    buyingPrice: entry.buyingPrice,
    // What is stored of a tier is what is shown of it, in the order of the specification.
    priceTiers:
      entry.priceTiers?.map(({ from, to, tierType, ...value }) => ({ from, to, tierType, ...value })) ?? null,
    tiersMode: entry.tiersMode,
    quantityStep: entry.quantityStep,
    quantityStepPrice: entry.quantityStepPrice,
  };
}

export function quoteBody({ productId, quantity, unitPrice, total, source }: Quote): QuoteBody {
  return { productId, quantity, unitPrice, total, source };
}
