import { MOVEMENT_TYPES } from '@counterfoil/inventory';
import { ApiProperty } from '@nestjs/swagger';
import { SuccessBody } from '../http/answers';

export class CreatedWarehouseBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly warehouseId!: number;
}

export class WarehouseBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly addressId!: number | null;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

/** The stock record that a call made or changed. */
export class StockRecordIdBody extends SuccessBody {
  @ApiProperty({ type: 'integer' })
  readonly inventoryId!: number;
}

export class ExistingStockRecordBody extends StockRecordIdBody {
  @ApiProperty({ enum: [true] })
  readonly alreadyExists!: true;
}

export class StockRecordBody {
  @ApiProperty({ type: 'integer', description: 'What movements call inventoryId.' })
  readonly id!: number;
  @ApiProperty({ type: 'integer' })
  readonly productId!: number;
  @ApiProperty({ type: 'integer' })
  readonly warehouseId!: number;
  @ApiProperty({ description: 'How much there is.' })
  readonly quantity!: number;
  @ApiProperty({ description: 'How much of it is reserved.' })
  readonly reservedQuantity!: number;
  @ApiProperty({ description: 'How much of it is not.' })
  readonly availableQuantity!: number;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'stock.low is sent when what is available comes down to it; null: never.',
  })
  readonly lowStockThreshold!: number | null;
}

/** What a movement did to the stock record that it was asked of. */
export class RecordedMovementBody extends SuccessBody {
  @ApiProperty({ type: 'integer', description: 'Of a TRANSFER: the movement out of the source.' })
  readonly movementId!: number;
  @ApiProperty()
  readonly previousQuantity!: number;
  @ApiProperty()
  readonly newQuantity!: number;
  @ApiProperty()
  readonly previousReservedQuantity!: number;
  @ApiProperty()
  readonly newReservedQuantity!: number;
}

export class RecordedTransferBody extends RecordedMovementBody {
  @ApiProperty({ type: 'integer', description: 'The stock record of the product in the target warehouse.' })
  readonly targetInventoryId!: number;
  @ApiProperty()
  readonly targetPreviousQuantity!: number;
  @ApiProperty()
  readonly targetNewQuantity!: number;
}

class MovementBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ type: 'integer', description: 'The stock record.' })
  readonly inventoryId!: number;
  @ApiProperty({ type: 'integer' })
  readonly warehouseId!: number;
  @ApiProperty({ type: 'integer', description: 'Who caused it.' })
  readonly userId!: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: documents do not move stock yet.' })
  readonly documentId!: number | null;
  @ApiProperty({ enum: MOVEMENT_TYPES })
  readonly movementType!: string;
  @ApiProperty({ description: 'Always positive, in both movements of a TRANSFER.' })
  readonly quantity!: number;
  @ApiProperty({ description: 'Tells, with newQuantity, the direction of a TRANSFER.' })
  readonly previousQuantity!: number;
  @ApiProperty()
  readonly newQuantity!: number;
  @ApiProperty()
  readonly previousReservedQuantity!: number;
  @ApiProperty()
  readonly newReservedQuantity!: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of a TRANSFER: the stock record of its other movement.',
  })
  readonly counterpartInventoryId!: number | null;
  @ApiProperty({ type: 'number', nullable: true, description: 'What one unit cost at the time.' })
  readonly unitPrice!: number | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly reason!: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly referenceId!: number | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly referenceType!: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly notes!: string | null;
  @ApiProperty({ description: 'Whether no goods moved: RESERVE and RELEASE.' })
  readonly isVirtual!: boolean;
  @ApiProperty({ format: 'date-time' })
  readonly createdAt!: string;
}

class InventoryOfMovementBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty({ type: 'integer' })
  readonly productId!: number;
  @ApiProperty({ type: 'integer' })
  readonly warehouseId!: number;
}

class UserOfMovementBody {
  @ApiProperty({ type: 'integer' })
  readonly id!: number;
  @ApiProperty()
  readonly name!: string;
}

/** Spec: Stock movement row. */
export class MovementRowBody {
  @ApiProperty()
  readonly movement!: MovementBody;
  @ApiProperty()
  readonly inventory!: InventoryOfMovementBody;
  @ApiProperty()
  readonly user!: UserOfMovementBody;
}
