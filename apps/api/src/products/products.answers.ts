import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

export class CreatedProductBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly productId!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
}

export class EditedProductBody extends SuccessBody {
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
}

/** A row of the list, and the single record. */
export class ProductBody {
  @ApiProperty({ type: 'integer', description: "The numeric id, which documents' items name as productId." })
  readonly id!: number;
  @ApiProperty({ format: 'uuid' })
  readonly visibleId!: string;
  @ApiProperty({ type: 'integer' })
  readonly companyId!: number;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty()
  readonly sku!: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly manufacturerSku!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly unit!: string | null;
  @ApiProperty({ type: 'number', nullable: true })
  readonly buyingPrice!: number | null;
  @ApiProperty({ type: 'number', nullable: true })
  readonly sellingPrice!: number | null;
  @ApiProperty()
  readonly isActive!: boolean;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
  @ApiProperty({ format: 'date-time' })
  readonly updatedAt!: string;
}

export class ProductSerialBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ type: 'integer' })
  readonly productId!: number;
  @ApiProperty()
  readonly serialNumber!: string;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}
