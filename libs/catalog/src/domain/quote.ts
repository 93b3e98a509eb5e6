import {
  type Decimal,
  decimal,
  UNIT_MAX,
  MONEY_MAX,
  toUnitScale,
  toMoney,
  validationFailed,
} from '@counterfoil/kernel';
import type { PriceTier } from './price-tier';
import type { Pricing } from './pricelist';

/**
 * The origin of a price, or the reason why there is none. `PRODUCT`: the product's own buying price.
 * `NOT_LISTED`: the vendor does not offer the product, or the product is inactive. `NO_TIER`: no tier
 * contains the quantity. `NO_PRICE`: the product has no price, or the tier's discount has no base price.
 * `DISCOUNT_ABOVE_PRICE`: the discount exceeds the base price.
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

/** The price of a quantity of a product from a vendor (contract §6.7). */
export interface Quote {
  readonly productId: number;
  readonly quantity: number;
  /** Rounded to 4 decimals; null when there is no price. */
  readonly unitPrice: number | null;
  readonly total: number | null;
  readonly source: QuoteSource;
}

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
 * Computes the price of a quantity under every mode (contract §6.7). The quantity alone selects the tier,
 * even when another tier is cheaper.
 *
 * @param entry the vendor's entry; null when the product is not in its list
 * @param quantity above zero, with at most 4 decimals
 * @throws AppError `VALIDATION_FAILED` when unit price or total exceed the amounts that documents can hold
 */
export function quote(entry: Pricing | null, product: QuotedProduct, quantity: number): Quote {
  const price = entry && product.isActive ? findPrice(entry, product, quantity) : 'NOT_LISTED';
  const request = { productId: product.id, quantity };
  if (typeof price === 'string') return { ...request, unitPrice: null, total: null, source: price };
  const { unitPrice, total, source } = price;
  if (unitPrice > UNIT_MAX || total > MONEY_MAX) {
    throw validationFailed([
      {
        field: 'quantity',
        problem: `leads to a unit price above ${UNIT_MAX} or a total above ${MONEY_MAX}; choose another quantity`,
      },
    ]);
  }
  return { ...request, unitPrice, total, source };
}

/** Returns the price, or the reason why there is none. */
function findPrice(entry: Pricing, product: QuotedProduct, quantity: number): Price | QuoteSource {
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

/** Computes the total as a document with this unit price does. */
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
  const unitPrice = applyDiscount(base, tier);
  return unitPrice.lt(0) ? 'DISCOUNT_ABOVE_PRICE' : priceByUnit('TIER', toUnitScale(unitPrice), quantity);
}

function applyDiscount(base: number, tier: Exclude<PriceTier, { tierType: 'fixed' }>): Decimal {
  if (tier.tierType === 'amount') return decimal(base).minus(tier.discountAmount);
  // Multiplying by 0.01 is exact; dividing by 100 would round.
  return decimal(100).minus(tier.discountPercent).times(0.01).times(base);
}

/** Each started step is charged in full. */
function priceBySteps({ quantityStep, quantityStepPrice }: Pricing, quantity: number): Price | QuoteSource {
  if (quantityStep === null || quantityStepPrice === null) return 'NO_PRICE';
  const started = decimal(quantity).mod(quantityStep);
  const whole = decimal(quantity).minus(started).div(quantityStep);
  const cost = (started.eq(0) ? whole : whole.plus(1)).times(quantityStepPrice);
  // The division rounds first, but with so many digits that rounding to 4 decimals gives the same result.
  return { source: 'QUANTITY_STEP', unitPrice: toUnitScale(cost.div(quantity)), total: toMoney(cost) };
}
