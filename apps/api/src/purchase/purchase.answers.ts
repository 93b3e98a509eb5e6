import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

/** The supplier invoice that a call made or changed. */
export class PurchaseIdBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly purchaseId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
}

class PurchaseVendorBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
}

/** A supplier invoice (decisions §12, Creation answers). */
export class PurchaseBody {
  @ApiProperty({ type: 'integer', description: 'The documentId of its events.' })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty({ type: 'integer', description: "The vendor's numeric entity id." })
  readonly vendorId!: number;
  @ApiProperty()
  readonly vendor!: PurchaseVendorBody;
  @ApiProperty({ description: "The vendor's document number." })
  readonly documentNumber!: string;
  @ApiProperty({ format: 'date' })
  readonly date!: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly title!: string | null;
  @ApiProperty({ example: 'ILS' })
  readonly currency!: string;
  @ApiProperty({ description: 'Including tax.' })
  readonly total!: number;
  @ApiProperty()
  readonly tax!: number;
  @ApiProperty({ description: 'The reclaimable part of the tax.' })
  readonly deductableTax!: number;
  @ApiProperty({ type: 'string', nullable: true })
  readonly notes!: string | null;
  @ApiProperty({ enum: ['OPEN', 'CANCELLED'] })
  readonly status!: 'OPEN' | 'CANCELLED';
  @ApiProperty()
  readonly cancelled!: boolean;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  readonly updatedAt!: string;
}
