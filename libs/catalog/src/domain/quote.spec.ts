import fc from 'fast-check';
import { aPricelistEntry } from '../testing/a-pricelist-entry';
import type { PriceTier } from './price-tier';
import { readPricelist } from '../testing/read-pricelist';
import type { PricelistEntry } from './pricelist';
import { quote, type QuoteSource } from './quote';

const product = (buyingPrice: number | null, isActive = true) => ({ id: 7, buyingPrice, isActive });
const fixed = (from: number, to: number, price: number): PriceTier => ({
  from,
  to,
  tierType: 'fixed',
  price,
});
const percent = (from: number, to: number, discountPercent: number): PriceTier => ({
  from,
  to,
  tierType: 'percent',
  discountPercent,
});
const amount = (from: number, to: number, discountAmount: number): PriceTier => ({
  from,
  to,
  tierType: 'amount',
  discountAmount,
});
const byTiers = (priceTiers: readonly PriceTier[], buyingPrice: number | null = null) =>
  aPricelistEntry({ pricingMode: 'tiers', tiersMode: 'range', priceTiers, buyingPrice });
const bySteps = (quantityStep: number, quantityStepPrice: number) =>
  aPricelistEntry({ pricingMode: 'tiers', tiersMode: 'quantity', quantityStep, quantityStepPrice });

type QuoteCase = readonly [what: string, entry: PricelistEntry | null, own: number | null, quantity: number];
type ExpectedQuote = readonly [unitPrice: number | null, total: number | null, source: QuoteSource];

describe('a quote', () => {
  const bands = byTiers([fixed(1, 9.999, 10), fixed(10, 20, 8), fixed(25, 30, 7.5)]);

  it.each<[...QuoteCase, ...ExpectedQuote]>([
    ['of a product by its own price', aPricelistEntry(), 2.5, 4, 2.5, 10, 'PRODUCT'],
    ['of a product that has none', aPricelistEntry(), null, 4, null, null, 'NO_PRICE'],
    ['of a product that is free', aPricelistEntry(), 0, 4, 0, 0, 'PRODUCT'],
    [
      "by the vendor's price, whatever the product's own",
      aPricelistEntry({ pricingMode: 'fixed', buyingPrice: 3.3333 }),
      9,
      3,
      3.3333,
      10,
      'FIXED',
    ],
    ['of what the vendor does not list', null, 5, 1, null, null, 'NOT_LISTED'],
    // Both bounds of a tier are inclusive.
    ['below the first tier', bands, 5, 0.9999, null, null, 'NO_TIER'],
    ['at the first bound', bands, 5, 1, 10, 10, 'TIER'],
    ['within a tier', bands, 5, 5, 10, 50, 'TIER'],
    ['at the last bound', bands, 5, 9.999, 10, 99.99, 'TIER'],
    ['between two bounds that nearly touch', bands, 5, 9.9995, null, null, 'NO_TIER'],
    ['at the first bound of the next', bands, 5, 10, 8, 80, 'TIER'],
    ['at the last bound of the next', bands, 5, 20, 8, 160, 'TIER'],
    ['in a gap', bands, 5, 22, null, null, 'NO_TIER'],
    ['above the last tier', bands, 5, 30.0001, null, null, 'NO_TIER'],
    ['from zero on', byTiers([fixed(0, 1, 4)]), 5, 0.0001, 4, 0, 'TIER'],
    ['in tiers in no order', byTiers([fixed(11, 20, 1), fixed(1, 10, 2)]), 5, 10, 2, 20, 'TIER'],
    // A discount applies to the vendor's price, or else to the product's own.
    ["less a percent, off the vendor's price", byTiers([percent(1, 9, 12.5)], 80), 5, 1, 70, 70, 'TIER'],
    ["less a percent, off the product's own", byTiers([percent(1, 9, 12.5)]), 8, 1, 7, 7, 'TIER'],
    ['less a percent, off nothing', byTiers([percent(1, 9, 12.5)]), null, 1, null, null, 'NO_PRICE'],
    ['less all of it', byTiers([percent(1, 9, 100)]), 8, 1, 0, 0, 'TIER'],
    ['less a percent that rounds', byTiers([percent(1, 9, 33.3333)]), 0.0001, 9, 0.0001, 0, 'TIER'],
    ["less an amount, off the vendor's price", byTiers([amount(1, 9, 0.5)], 80), 5, 2, 79.5, 159, 'TIER'],
    ["less an amount, off the product's own", byTiers([amount(1, 9, 0.5)]), 5, 2, 4.5, 9, 'TIER'],
    ['less an amount, off nothing', byTiers([amount(1, 9, 0.5)]), null, 2, null, null, 'NO_PRICE'],
    ['less all that it costs', byTiers([amount(1, 9, 5)]), 5, 2, 0, 0, 'TIER'],
    ['less more than it costs', byTiers([amount(1, 9, 5.0001)]), 5, 2, null, null, 'DISCOUNT_ABOVE_PRICE'],
    // Each started step is charged in full.
    ['of one step', bySteps(12, 30), 5, 12, 2.5, 30, 'QUANTITY_STEP'],
    ['of a started step', bySteps(12, 30), 5, 1, 30, 30, 'QUANTITY_STEP'],
    ['of a step and a bit', bySteps(12, 30), 5, 12.0001, 5, 60, 'QUANTITY_STEP'],
    ['of steps of fractions', bySteps(0.1, 0.3), 5, 0.3, 3, 0.9, 'QUANTITY_STEP'],
    ['of steps whose quotient has no end', bySteps(3, 10), 5, 7, 4.2857, 30, 'QUANTITY_STEP'],
    // Decimal arithmetic: no binary rounding errors.
    ['of 0.1 by 3', byTiers([fixed(1, 9, 0.1)]), 5, 3, 0.1, 0.3, 'TIER'],
    ['of 1.005 by 1, half up', byTiers([fixed(1, 9, 1.005)]), 5, 1, 1.005, 1.01, 'TIER'],
    ['of a percent of a percent', byTiers([percent(1, 9, 0.1)], 0.2), 5, 1, 0.1998, 0.2, 'TIER'],
    ['of 19.99 by 100', byTiers([fixed(1, 100, 19.99)]), 5, 100, 19.99, 1999, 'TIER'],
  ])('%s', (_, ...row) => {
    const [entry, own, quantity, unitPrice, total, source] = row;
    expect(quote(entry, product(own), quantity)).toEqual({
      productId: 7,
      quantity,
      unitPrice,
      total,
      source,
    });
  });

  it('treats an inactive product as not listed', () => {
    expect(quote(aPricelistEntry(), product(5, false), 1)).toMatchObject({
      unitPrice: null,
      source: 'NOT_LISTED',
    });
  });

  it.each([
    [5, 4],
    [10, 9],
    [15, 9],
    [20, 3],
  ])('selects the tier by the quantity %d, not by the lowest price', (quantity, unitPrice) => {
    const entry = byTiers([fixed(1, 9, 4), fixed(10, 19, 9), fixed(20, 99, 3)], 1);
    expect(quote(entry, product(0.5), quantity)).toMatchObject({ unitPrice, source: 'TIER' });
  });

  it.each<[string, PricelistEntry, number]>([
    ['total', byTiers([fixed(1, 9_999_999_999, 9_999_999_999.9999)]), 101],
    ['unit price', bySteps(1, 9_999_999_999.9999), 0.0001],
    ['number of steps', bySteps(0.0001, 9_999_999_999.9999), 9_999_999_999.9999],
  ])('refuses a quantity whose %s exceeds the maximum', (_, entry, quantity) => {
    expect(() => quote(entry, product(null), quantity)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: [expect.objectContaining({ field: 'quantity' })],
      }),
    );
  });
});

describe('any quantity under any entry', () => {
  const SCALE = 10_000n;
  /** In ten-thousandths. Small, so that random quantities hit the bounds. */
  const price = fc.bigInt({ min: 0n, max: 500_000n });
  const numberOf = (scaled: bigint) => Number(scaled) / 10_000;

  interface ScaledTier {
    readonly from: bigint;
    readonly to: bigint;
    readonly tierType: 'fixed' | 'percent' | 'amount';
    readonly value: bigint;
  }

  const VALUE_OF = { fixed: 'price', percent: 'discountPercent', amount: 'discountAmount' } as const;

  /** Tiers without overlap, in any order, with gaps. */
  const tiers = fc
    .tuple(
      fc.uniqueArray(fc.bigInt({ min: 0n, max: 200n }), { minLength: 2, maxLength: 12 }),
      fc.array(fc.record({ tierType: fc.constantFrom('fixed', 'percent', 'amount'), value: price }), {
        minLength: 6,
        maxLength: 6,
      }),
    )
    .chain(([bounds, values]) => {
      bounds.sort((one, other) => Number(one - other));
      const pairs = values.flatMap(({ tierType, value }, index): ScaledTier[] => {
        const [from, to] = [bounds[2 * index], bounds[2 * index + 1]];
        return from === undefined || to === undefined ? [] : [{ from, to, tierType: tierType, value }];
      });
      return fc.shuffledSubarray(pairs, { minLength: 1 });
    });
  /** Quantities on, beside and far from the bounds. */
  const quantity = fc.bigInt({ min: 1n, max: 210n });

  const roundedUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor);
  const answer = (source: QuoteSource, unit: bigint | null, total: bigint | null) => ({
    source,
    unitPrice: unit === null ? null : numberOf(unit),
    total: total === null ? null : Number(total) / 100,
  });

  /** A model of the quote: looks at every tier, in integers. */
  function modelTiers(scaled: readonly ScaledTier[], base: bigint | null, scaledQuantity: bigint) {
    const fitting = scaled.filter(({ from, to }) => !(scaledQuantity < from) && !(scaledQuantity > to));
    expect(fitting.length).toBeLessThanOrEqual(1);
    const [tier] = fitting;
    if (!tier) return answer('NO_TIER', null, null);
    if (tier.tierType !== 'fixed' && base === null) return answer('NO_PRICE', null, null);
    const unit = {
      fixed: () => tier.value,
      percent: () => roundedUp(base! * (100n * SCALE - tier.value), 100n * SCALE),
      amount: () => base! - tier.value,
    }[tier.tierType]();
    if (unit < 0n) return answer('DISCOUNT_ABOVE_PRICE', null, null);
    return answer('TIER', unit, roundedUp(unit * scaledQuantity, 1_000_000n));
  }

  function modelSteps(step: bigint, stepPrice: bigint, scaledQuantity: bigint) {
    let steps = 0n;
    while (steps * step < scaledQuantity) steps += 1n;
    const cost = steps * stepPrice;
    return answer('QUANTITY_STEP', roundedUp(cost * SCALE, scaledQuantity), roundedUp(cost, 100n));
  }

  it('has exactly one price, or a reason for none, by range', () => {
    const base = fc.option(price);
    fc.assert(
      fc.property(tiers, base, base, quantity, (scaled, ofEntry, ofProduct, scaledQuantity) => {
        const sent = {
          productId: 7,
          pricingMode: 'tiers',
          buyingPrice: ofEntry === null ? null : numberOf(ofEntry),
          priceTiers: scaled.map(({ from, to, tierType, value }) => ({
            from: numberOf(from),
            to: numberOf(to),
            tierType,
            [VALUE_OF[tierType]]: numberOf(value),
          })),
        };
        const [entry] = readPricelist([sent]);
        const own = product(ofProduct === null ? null : numberOf(ofProduct));
        const expected = modelTiers(scaled, ofEntry ?? ofProduct, scaledQuantity);
        expect(quote(entry!, own, numberOf(scaledQuantity))).toMatchObject(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it('has exactly one price by steps', () => {
    const step = fc.bigInt({ min: 1n, max: 50_000n });
    const scaledQuantity = fc.bigInt({ min: 1n, max: 1_000_000n });
    fc.assert(
      fc.property(step, price, scaledQuantity, (quantityStep, quantityStepPrice, scaled) => {
        fc.pre(scaled / quantityStep < 10_000n);
        const sent = {
          productId: 7,
          pricingMode: 'tiers',
          tiersMode: 'quantity',
          quantityStep: numberOf(quantityStep),
          quantityStepPrice: numberOf(quantityStepPrice),
        };
        const [entry] = readPricelist([sent]);
        const expected = modelSteps(quantityStep, quantityStepPrice, scaled);
        expect(quote(entry!, product(null), numberOf(scaled))).toMatchObject(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
