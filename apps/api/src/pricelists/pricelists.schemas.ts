import {
  ENTRIES_MAX,
  type ListedEntry,
  PRICING_MODES,
  type Quote,
  QUOTE_SOURCES,
  TIER_TYPES,
  TIERS_MAX,
  TIERS_MODES,
  VENDOR_SKU_MAX,
} from '@counterfoil/catalog';
import { UNIT_MAX, validationFailed } from '@counterfoil/kernel';
import {
  ChoiceProperty,
  IntegerProperty,
  ListProperty,
  NumberProperty,
  SuccessBody,
  TextProperty,
  UuidProperty,
} from '../http/answers';
import { TextField } from '../http/fields';
import type { KnownFields } from '../http/known-fields';
import { IdQueryField } from '../http/query-fields';
import type { ListShape } from '../http/unpaged-list';

const QUANTITY = {
  pattern: /^(?=.*[1-9])\d{1,10}(\.\d{1,4})?$/,
  problem: 'must be a number greater than zero with at most 4 decimals',
};
const QUANTITY_LENGTH_MAX = 50;
const PRICE = { minimum: 0, maximum: UNIT_MAX, nullable: true } as const;
const BOUND = { minimum: 0, maximum: UNIT_MAX } as const;

/** This class only documents the body. `PricelistReading` checks it; class-validator would take seconds. */
export class PriceTierBody {
  @NumberProperty({ ...BOUND, description: 'The first quantity of the tier.', example: 1 })
  readonly from!: number;
  @NumberProperty({ ...BOUND, description: 'The last one, which belongs to it too.', example: 9.9999 })
  readonly to!: number;
  @ChoiceProperty(TIER_TYPES, { description: 'Which of the fields below says the price; it must be there.' })
  readonly tierType!: string;
  @NumberProperty({
    required: false,
    ...PRICE,
    description: 'Of one unit, when tierType is fixed.',
    example: 12.5,
  })
  readonly price?: number | null;
  @NumberProperty({
    required: false,
    minimum: 0,
    maximum: 100,
    nullable: true,
    description:
      "When tierType is percent: the percent off the entry's buyingPrice, or else off the product's.",
  })
  readonly discountPercent?: number | null;
  @NumberProperty({
    required: false,
    ...PRICE,
    description: 'When tierType is amount: the amount off that price.',
  })
  readonly discountAmount?: number | null;
}

export class NewPricelistEntryBody {
  @IntegerProperty({ minimum: 1, description: 'Each product once.' }) readonly productId!: number;
  @ChoiceProperty(PRICING_MODES, {
    description:
      "`default`: the product's own buying price. `fixed`: `buyingPrice`. `tiers`: see `tiersMode`.",
  })
  readonly pricingMode!: string;
  @TextProperty({ required: false, maxLength: VENDOR_SKU_MAX, nullable: true })
  readonly vendorSku?: string | null;
  @NumberProperty({
    required: false,
    ...PRICE,
    description: 'Required under `fixed`; under `tiers` what discounts are off.',
  })
  readonly buyingPrice?: number | null;
  @ListProperty(PriceTierBody, {
    required: false,
    maxItems: TIERS_MAX,
    nullable: true,
    description: 'Required under `tiers` by `range`. No two may have a quantity in common; gaps are allowed.',
  })
  readonly priceTiers?: PriceTierBody[] | null;
  @ChoiceProperty(TIERS_MODES, {
    required: false,
    nullable: true,
    description: 'Under `tiers`: a price by quantity band (`range`, when left out), or a price per step.',
  })
  readonly tiersMode?: string | null;
  @NumberProperty({
    required: false,
    exclusiveMinimum: true,
    minimum: 0,
    maximum: UNIT_MAX,
    nullable: true,
    description: 'Required under `tiers` by `quantity`. A started step counts whole.',
  })
  readonly quantityStep?: number | null;
  @NumberProperty({
    required: false,
    ...PRICE,
    description: 'Of one step. Required under `tiers` by `quantity`.',
  })
  readonly quantityStepPrice?: number | null;
}

export class ReplacePricelistBody {
  @ListProperty(NewPricelistEntryBody, {
    maxItems: ENTRIES_MAX,
    description: 'The whole list from now on: products that are not in it are dropped.',
  })
  readonly entries!: NewPricelistEntryBody[];
}

/** A name for each field, checked by the compiler, because the classes above only document the body. */
type FieldsOf<Body> = Readonly<Record<keyof Body, null>>;

const TIER_FIELDS: FieldsOf<PriceTierBody> = {
  from: null,
  to: null,
  tierType: null,
  price: null,
  discountPercent: null,
  discountAmount: null,
};
const ENTRY_FIELDS: FieldsOf<Omit<NewPricelistEntryBody, 'priceTiers'>> = {
  productId: null,
  pricingMode: null,
  vendorSku: null,
  buyingPrice: null,
  tiersMode: null,
  quantityStep: null,
  quantityStepPrice: null,
};

export const PRICELIST_FIELDS: KnownFields = new Map([
  [
    'entries',
    new Map<string, KnownFields | null>([
      ...Object.entries(ENTRY_FIELDS),
      ['priceTiers', new Map(Object.entries(TIER_FIELDS))],
    ]),
  ],
]);

export class ReadPricelistQuery {
  @IdQueryField({ presence: 'required', description: "The vendor's numeric id." }) readonly entityId!: number;
}

export class QuoteQuery {
  @IdQueryField({ presence: 'required' }) readonly productId!: number;
  @TextField({ presence: 'required', max: QUANTITY_LENGTH_MAX, form: QUANTITY, example: '12.5' })
  readonly quantity!: string;
}

/** Checks the list as a whole; `PricelistReading` checks each entry (contract §6.6). */
export function toReplacePricelistInput(body: Record<string, unknown> | undefined): readonly unknown[] {
  const entries = body?.['entries'] ?? undefined;
  if (Array.isArray(entries) && entries.length <= ENTRIES_MAX) return entries as unknown[];
  const tooMany = Array.isArray(entries) ? `must have at most ${ENTRIES_MAX} entries` : 'must be a list';
  throw validationFailed([{ field: 'entries', problem: entries === undefined ? 'is required' : tooMany }]);
}

/** A tier as it was sent, with the field of its type only. */
export class PriceTierAnswer {
  @NumberProperty() readonly from!: number;
  @NumberProperty() readonly to!: number;
  @ChoiceProperty(TIER_TYPES) readonly tierType!: string;
  @NumberProperty({ required: false, description: 'There when tierType is fixed.' }) readonly price?: number;
  @NumberProperty({ required: false, description: 'There when tierType is percent.' })
  readonly discountPercent?: number;
  @NumberProperty({ required: false, description: 'There when tierType is amount.' })
  readonly discountAmount?: number;
}

export class PricelistEntryAnswer {
  @IntegerProperty({ description: 'Stays with the product for as long as it is in the list.' })
  readonly id!: number;
  @IntegerProperty() readonly productId!: number;
  @UuidProperty() readonly productVisibleId!: string;
  @TextProperty() readonly productName!: string;
  @TextProperty() readonly productSku!: string;
  @TextProperty({ nullable: true }) readonly productManufacturerSku!: string | null;
  @TextProperty({ nullable: true }) readonly productUnit!: string | null;
  @NumberProperty({ nullable: true, description: "The product's own buying price." })
  readonly productBuyingPrice!: number | null;
  @TextProperty({ nullable: true, description: "The vendor's own SKU." }) readonly vendorSku!: string | null;
  @ChoiceProperty(PRICING_MODES) readonly pricingMode!: string;
  @NumberProperty({ nullable: true, description: 'The price from this vendor.' })
  readonly buyingPrice!: number | null;
  @ListProperty(PriceTierAnswer, { nullable: true }) readonly priceTiers!: readonly PriceTierAnswer[] | null;
  @ChoiceProperty(TIERS_MODES, { nullable: true }) readonly tiersMode!: string | null;
  @NumberProperty({ nullable: true }) readonly quantityStep!: number | null;
  @NumberProperty({ nullable: true, description: 'The price of one step.' })
  readonly quantityStepPrice!: number | null;
}

export class PricelistBody {
  @ListProperty(PricelistEntryAnswer, { description: 'In the order in which they were sent.' })
  readonly entries!: readonly PricelistEntryAnswer[];
}

export class ReplacedPricelistBody extends SuccessBody {
  @IntegerProperty({
    description: 'How many entries the vendor now has, those of inactive products included.',
  })
  readonly entries!: number;
}

export class QuoteBody {
  @IntegerProperty() readonly productId!: number;
  @NumberProperty() readonly quantity!: number;
  @NumberProperty({ nullable: true, description: 'To 4 decimals; null when there is no price.' })
  readonly unitPrice!: number | null;
  @NumberProperty({ nullable: true, description: 'To 2 decimals; null when there is no price.' })
  readonly total!: number | null;
  @ChoiceProperty(QUOTE_SOURCES, {
    description:
      "Where the price comes from, or why there is none. `PRODUCT`: the product's own buying price. `FIXED`, `TIER`, " +
      '`QUANTITY_STEP`: the entry. `NOT_LISTED`: the vendor does not offer the product, or it is not active. ' +
      '`NO_TIER`: the quantity is in a gap. `NO_PRICE`: there is no price to start from. `DISCOUNT_ABOVE_PRICE`: the ' +
      'discount of the tier is larger than the price.',
  })
  readonly source!: string;
}

/** Streams a `PricelistBody`. */
export const PRICELIST_SHAPE: ListShape<ListedEntry> = {
  beginning: '{"entries":[',
  textOf: (entry) => JSON.stringify(presentEntry(entry)),
  end: () => ']}',
};

function presentEntry(entry: ListedEntry): PricelistEntryAnswer {
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
    // In the order of contract §6.3.
    priceTiers:
      entry.priceTiers?.map(({ from, to, tierType, ...value }) => ({ from, to, tierType, ...value })) ?? null,
    tiersMode: entry.tiersMode,
    quantityStep: entry.quantityStep,
    quantityStepPrice: entry.quantityStepPrice,
  };
}

export function presentQuote({ productId, quantity, unitPrice, total, source }: Quote): QuoteBody {
  return { productId, quantity, unitPrice, total, source };
}
