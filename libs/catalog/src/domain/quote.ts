import {
  type Decimal,
  decimal,
  FINE_MAX,
  MONEY_MAX,
  toFine,
  toMoney,
  validationFailed,
} from '@counterfoil/kernel';
import type { PriceTier } from './price-tier';
import type { Pricing } from './pricelist';

/**
 * Where a price comes from, or why there is none. `PRODUCT`: the product's own buying price. `NOT_LISTED`: the vendor
 * does not offer the product, or nobody does any more. `NO_TIER`: the quantity is in a gap. `NO_PRICE`: the product has
 * no price, or the tier takes its discount from one that is not there. `DISCOUNT_ABOVE_PRICE`: the tier takes more off
 * than there is.
 */
export const QUOTE_SOURCES = [
  'PRODUCT',
  'FIXED',
  'TIER',
  'QUANTITY_STEP',
  'NOT_LISTED',
  'NO_TIER',
  'NO_PRICE',
  'DISCOUNT_ABOVE_PRICE',
] as const;
export type QuoteSource = (typeof QUOTE_SOURCES)[number];

/** What a quantity of a product costs from a vendor (decisions §5). */
export interface Quote {
  readonly productId: number;
  readonly quantity: number;
  /** To 4 decimals; null when there is no price, and never one that nobody asks. */
  readonly unitPrice: number | null;
  readonly total: number | null;
  readonly source: QuoteSource;
}

/** What a quote needs of the product. */
export interface QuotedProduct {
  readonly id: number;
  readonly buyingPrice: number | null;
  readonly isActive: boolean;
}

interface Price {
  readonly source: QuoteSource;
  readonly unitPrice: number;
  readonly total: number;
}

/**
 * The one place that says what a quantity costs under every mode (decisions §12). The quantity alone chooses the price,
 * never its height: a tier that is dearer than its neighbour counts like any other.
 *
 * @param entry the vendor's, null when the product is not in its list
 * @param quantity above zero, with at most 4 decimals
 * @throws AppError `VALIDATION_FAILED` when the quantity costs more than any document of ours can hold
 */
export function quote(entry: Pricing | null, product: QuotedProduct, quantity: number): Quote {
  const price = entry && product.isActive ? priceOf(entry, product, quantity) : 'NOT_LISTED';
  const asked = { productId: product.id, quantity };
  if (typeof price === 'string') return { ...asked, unitPrice: null, total: null, source: price };
  const { unitPrice, total, source } = price;
  if (unitPrice > FINE_MAX || total > MONEY_MAX) {
    throw validationFailed([{ field: 'quantity', problem: 'costs more than can be reckoned with' }]);
  }
  return { ...asked, unitPrice, total, source };
}

/** A price, or why there is none. */
function priceOf(entry: Pricing, product: QuotedProduct, quantity: number): Price | QuoteSource {
  switch (entry.pricingMode) {
    case 'default':
      return priceByUnit('PRODUCT', product.buyingPrice, quantity);
    case 'fixed':
      return priceByUnit('FIXED', entry.buyingPrice, quantity);
    case 'tiers':
      return entry.tiersMode === 'quantity'
        ? priceBySteps(entry, quantity)
        : priceByTier(entry, product, quantity);
  }
}

/** What a document comes to that has this unit price. */
function priceByUnit(source: QuoteSource, unitPrice: number | null, quantity: number): Price | QuoteSource {
  if (unitPrice === null) return 'NO_PRICE';
  return { source, unitPrice, total: toMoney(decimal(unitPrice).times(quantity)) };
}

function priceByTier(entry: Pricing, product: QuotedProduct, quantity: number): Price | QuoteSource {
  const tier = entry.priceTiers?.find(({ from, to }) => from <= quantity && quantity <= to);
  if (!tier) return 'NO_TIER';
  if (tier.tierType === 'fixed') return priceByUnit('TIER', tier.price, quantity);
  const base = entry.buyingPrice ?? product.buyingPrice;
  if (base === null) return 'NO_PRICE';
  const unitPrice = discounted(base, tier);
  return unitPrice.lt(0) ? 'DISCOUNT_ABOVE_PRICE' : priceByUnit('TIER', toFine(unitPrice), quantity);
}

function discounted(base: number, tier: Exclude<PriceTier, { tierType: 'fixed' }>): Decimal {
  if (tier.tierType === 'amount') return decimal(base).minus(tier.discountAmount);
  // Divided by moving the point, in the multiplication: a division would have to be rounded.
  return decimal(100).minus(tier.discountPercent).times(0.01).times(base);
}

/** A started step counts whole. */
function priceBySteps({ quantityStep, quantityStepPrice }: Pricing, quantity: number): Price | QuoteSource {
  if (quantityStep === null || quantityStepPrice === null) return 'NO_PRICE';
  const started = decimal(quantity).mod(quantityStep);
  const whole = decimal(quantity).minus(started).div(quantityStep);
  const cost = (started.eq(0) ? whole : whole.plus(1)).times(quantityStepPrice);
  // Rounded twice, since a quotient has no end; the first time so far behind that the second is not misled.
  return { source: 'QUANTITY_STEP', unitPrice: toFine(cost.div(quantity)), total: toMoney(cost) };
}
