import {
  ENTRIES_MAX,
  PRICING_MODES,
  TIER_TYPES,
  TIERS_MAX,
  TIERS_MODES,
  VENDOR_SKU_MAX,
} from '@counterfoil/catalog';
import { FINE_MAX, validationFailed } from '@counterfoil/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TextField } from '../http/fields';
import { IdQueryField } from '../http/query-fields';

const QUANTITY = {
  pattern: /^(?=.*[1-9])\d{1,10}(\.\d{1,4})?$/,
  problem: 'must be a number greater than zero with at most 4 decimals',
};
const QUANTITY_LENGTH_MAX = 50;

const PRICE = { type: Number, minimum: 0, maximum: FINE_MAX, nullable: true } as const;
const BOUND = { minimum: 0, maximum: FINE_MAX } as const;

/** The bodies below are documented here and read by `readPricelist`: checking them by class would take seconds. */
export class PriceTierBody {
  @ApiProperty({ ...BOUND, description: 'The first quantity of the tier.', example: 1 })
  readonly from!: number;
  @ApiProperty({ ...BOUND, description: 'The last one, which belongs to it too.', example: 9.9999 })
  readonly to!: number;
  @ApiProperty({
    enum: TIER_TYPES,
    description: 'Which of the fields below says the price; it must be there.',
  })
  readonly tierType!: string;
  @ApiPropertyOptional({ ...PRICE, description: 'Of one unit, when tierType is fixed.', example: 12.5 })
  readonly price?: number | null;
  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 100,
    nullable: true,
    description: "Off the entry's buyingPrice, else the product's, when tierType is percent.",
  })
  readonly discountPercent?: number | null;
  @ApiPropertyOptional({ ...PRICE, description: 'Off the same, when tierType is amount.' })
  readonly discountAmount?: number | null;
}

export class NewPricelistEntryBody {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Each product once.' })
  readonly productId!: number;
  @ApiProperty({
    enum: PRICING_MODES,
    description:
      "`default`: the product's own buying price. `fixed`: `buyingPrice`. `tiers`: see `tiersMode`.",
  })
  readonly pricingMode!: string;
  @ApiPropertyOptional({ type: String, maxLength: VENDOR_SKU_MAX, nullable: true })
  readonly vendorSku?: string | null;
  @ApiPropertyOptional({
    ...PRICE,
    description: 'Required under `fixed`; under `tiers` what discounts are off.',
  })
  readonly buyingPrice?: number | null;
  @ApiPropertyOptional({
    type: [PriceTierBody],
    maxItems: TIERS_MAX,
    nullable: true,
    description: 'Required under `tiers` by `range`. No two may have a quantity in common; gaps are allowed.',
  })
  readonly priceTiers?: PriceTierBody[] | null;
  @ApiPropertyOptional({
    type: String,
    enum: TIERS_MODES,
    nullable: true,
    description: 'Under `tiers`: a price by quantity band (`range`, when left out), or a price per step.',
  })
  readonly tiersMode?: string | null;
  @ApiPropertyOptional({
    type: Number,
    exclusiveMinimum: true,
    minimum: 0,
    maximum: FINE_MAX,
    nullable: true,
    description: 'Required under `tiers` by `quantity`. A started step counts whole.',
  })
  readonly quantityStep?: number | null;
  @ApiPropertyOptional({ ...PRICE, description: 'Of one step. Required under `tiers` by `quantity`.' })
  readonly quantityStepPrice?: number | null;
}

export class ReplacePricelistBody {
  @ApiProperty({
    type: [NewPricelistEntryBody],
    maxItems: ENTRIES_MAX,
    description: 'The whole list from now on: products that are not in it are dropped.',
  })
  readonly entries!: NewPricelistEntryBody[];
}

export class ReadPricelistQuery {
  @IdQueryField({ presence: 'required', description: "The vendor's numeric id." })
  readonly entityId!: number;
}

export class QuoteQuery {
  @IdQueryField({ presence: 'required' })
  readonly productId!: number;

  @TextField({ presence: 'required', max: QUANTITY_LENGTH_MAX, form: QUANTITY, example: '12.5' })
  readonly quantity!: string;
}

/** The one thing about a new pricelist that is not a matter of what is inside its entries (decisions §12). */
export function entriesOf(body: Record<string, unknown> | undefined): readonly unknown[] {
  const entries = body?.['entries'] ?? undefined;
  if (Array.isArray(entries) && entries.length <= ENTRIES_MAX) return entries as unknown[];
  const tooMany = Array.isArray(entries) ? `must have at most ${ENTRIES_MAX} entries` : 'must be a list';
  throw validationFailed([{ field: 'entries', problem: entries === undefined ? 'is required' : tooMany }]);
}
