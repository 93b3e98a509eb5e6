import type { CreateProductBody, NewPricelistEntryBody } from '@counterfoil/sdk';
import { GOODS, type Language, VARIANTS } from './names';
import { numbered, type PlannedVendor } from './parties';
import { Random } from './random';

export interface PlannedProduct {
  readonly name: string;
  readonly language: Language;
  readonly body: CreateProductBody & { readonly buyingPrice: number; readonly sellingPrice: number };
}

export interface PlannedPricelist {
  readonly vendor: string;
  readonly entries: readonly (Omit<NewPricelistEntryBody, 'productId'> & { readonly product: string })[];
}

/** The number of the seed is part of each SKU, so that seeds do not share products. */
export function planProducts(seed: number, count: number): PlannedProduct[] {
  const random = new Random(`${seed}/products`);
  return Array.from({ length: count }, (_, index) => {
    const language = index % 2 === 0 ? 'he' : 'en';
    const goods = GOODS[index % GOODS.length]!;
    const round = Math.floor(index / GOODS.length);
    const variant = VARIANTS[round % VARIANTS.length]![language];
    const model = round < VARIANTS.length ? '' : String(Math.floor(round / VARIANTS.length) + 1);
    return {
      name: numbered('product', index),
      language,
      body: {
        name: [goods[language], variant, model].filter((part) => part !== '').join(' '),
        sku: `S${seed}-${1001 + index}`,
        manufacturerSku: `M-${random.int(10_000, 99_999)}`,
        unit: goods.unit[language],
        buyingPrice: goods.buyingPrice,
        sellingPrice: Math.ceil(goods.buyingPrice * (1.3 + random.int(0, 40) / 100)),
      },
    };
  });
}

/** Wholesalers share the products, and each way to price one occurs. */
export function planPricelists(
  vendors: readonly PlannedVendor[],
  products: readonly PlannedProduct[],
): PlannedPricelist[] {
  const wholesalers = vendors.filter(({ trade }) => trade.isWholesale);
  return wholesalers.map(({ name }, turn) => ({
    vendor: name,
    entries: products
      .filter((_, index) => index % wholesalers.length === turn)
      .map((product, index) => entryOf(product, index)),
  }));
}

const PRICINGS: readonly ((price: number) => Omit<NewPricelistEntryBody, 'productId'>)[] = [
  () => ({ pricingMode: 'default' }),
  (price) => ({ pricingMode: 'fixed', buyingPrice: hundredths(price * 0.96) }),
  (price) => ({
    pricingMode: 'tiers',
    tiersMode: 'range',
    buyingPrice: price,
    priceTiers: [
      { from: 1, to: 9.9999, tierType: 'fixed', price },
      { from: 10, to: 49.9999, tierType: 'percent', discountPercent: 5 },
      { from: 50, to: 10_000, tierType: 'percent', discountPercent: 8.5 },
    ],
  }),
  (price) => ({
    pricingMode: 'tiers',
    tiersMode: 'quantity',
    quantityStep: 10,
    quantityStepPrice: hundredths(price * 9.3),
  }),
];

const hundredths = (price: number): number => Math.round(price * 100) / 100;

function entryOf({ name, body }: PlannedProduct, index: number): PlannedPricelist['entries'][number] {
  const pricing = PRICINGS[index % PRICINGS.length]!(body.buyingPrice);
  return { product: name, vendorSku: `V-${body.sku}`, ...pricing };
}
