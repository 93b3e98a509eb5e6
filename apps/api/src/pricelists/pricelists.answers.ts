import { PRICING_MODES, QUOTE_SOURCES, TIER_TYPES, TIERS_MODES } from '@counterfoil/catalog';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_NUMBER = { type: Number, nullable: true } as const;

/** As it was sent, less the fields of the other types. */
export class PriceTierAnswer {
  @ApiProperty()
  readonly from!: number;
  @ApiProperty()
  readonly to!: number;
  @ApiProperty({ enum: TIER_TYPES })
  readonly tierType!: string;
  @ApiPropertyOptional({ description: 'There when tierType is fixed.' })
  readonly price?: number;
  @ApiPropertyOptional({ description: 'There when tierType is percent.' })
  readonly discountPercent?: number;
  @ApiPropertyOptional({ description: 'There when tierType is amount.' })
  readonly discountAmount?: number;
}

export class PricelistEntryAnswer {
  @ApiProperty({ type: 'integer', description: 'Stays with the product for as long as it is in the list.' })
  readonly id!: number;
  @ApiProperty({ type: 'integer' })
  readonly productId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly productVisibleId!: string;
  @ApiProperty()
  readonly productName!: string;
  @ApiProperty()
  readonly productSku!: string;
  @ApiProperty(NULLABLE_TEXT)
  readonly productManufacturerSku!: string | null;
  @ApiProperty(NULLABLE_TEXT)
  readonly productUnit!: string | null;
  @ApiProperty({ ...NULLABLE_NUMBER, description: "The product's own buying price." })
  readonly productBuyingPrice!: number | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: "The vendor's own SKU." })
  readonly vendorSku!: string | null;
  @ApiProperty({ enum: PRICING_MODES })
  readonly pricingMode!: string;
  @ApiProperty({ ...NULLABLE_NUMBER, description: 'The price from this vendor.' })
  readonly buyingPrice!: number | null;
  @ApiProperty({ type: [PriceTierAnswer], nullable: true })
  readonly priceTiers!: readonly PriceTierAnswer[] | null;
  @ApiProperty({ type: String, enum: TIERS_MODES, nullable: true })
  readonly tiersMode!: string | null;
  @ApiProperty(NULLABLE_NUMBER)
  readonly quantityStep!: number | null;
  @ApiProperty({ ...NULLABLE_NUMBER, description: 'The price of one step.' })
  readonly quantityStepPrice!: number | null;
}

export class PricelistBody {
  @ApiProperty({ type: [PricelistEntryAnswer], description: 'In the order in which they were sent.' })
  readonly entries!: readonly PricelistEntryAnswer[];
}

export class ReplacedPricelistBody extends SuccessBody {
  @ApiProperty({
    type: 'integer',
    description: 'How many entries the vendor now has, those of inactive products included.',
  })
  readonly entries!: number;
}

export class QuoteBody {
  @ApiProperty({ type: 'integer' })
  readonly productId!: number;
  @ApiProperty()
  readonly quantity!: number;
  @ApiProperty({ ...NULLABLE_NUMBER, description: 'To 4 decimals; null when there is no price.' })
  readonly unitPrice!: number | null;
  @ApiProperty({ ...NULLABLE_NUMBER, description: 'To 2 decimals; null when there is no price.' })
  readonly total!: number | null;
  @ApiProperty({
    enum: QUOTE_SOURCES,
    description:
      "Where the price comes from, or why there is none. `PRODUCT`: the product's own buying price. `FIXED`, `TIER`, " +
      '`QUANTITY_STEP`: the entry. `NOT_LISTED`: the vendor does not offer the product, or it is not active. ' +
      '`NO_TIER`: the quantity is in a gap. `NO_PRICE`: there is no price to start from. `DISCOUNT_ABOVE_PRICE`: the ' +
      'tier takes more off than there is.',
  })
  readonly source!: string;
}
