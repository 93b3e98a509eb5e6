import {
  type RecordMovementInput,
  calculateAvailable,
  type EnsuredStockRecord,
  isVirtual,
  MOVEMENT_FILTERS,
  MOVEMENT_TYPES,
  type MovementRow,
  type MovementType,
  type StepsTaken,
  STOCK_FILTERS,
  type StockRecord,
} from '@counterfoil/inventory';
import {
  BooleanProperty,
  ChoiceProperty,
  IntegerProperty,
  NumberProperty,
  ObjectProperty,
  SuccessBody,
  TextProperty,
  TimeProperty,
} from '../http/answers';
import {
  ChoiceField,
  IdField,
  QuantityField,
  QuantityOrZeroField,
  TextField,
  UnitPriceField,
} from '../http/fields';
import { ListFilters } from '../http/query-fields';

const REASON_MAX = 500;
const REFERENCE_TYPE_MAX = 50;
const NOTES_MAX = 2_000;

export class CreateStockRecordBody {
  @IdField({ presence: 'required' }) readonly productId!: number;
  @IdField({ presence: 'required' }) readonly warehouseId!: number;
  @QuantityOrZeroField({
    presence: 'optional',
    description: 'stock.low is sent when what is available comes down to it.',
  })
  readonly lowStockThreshold?: number | null;
}

export class EditStockRecordBody {
  @QuantityOrZeroField({ presence: 'clearable', description: 'null clears it: stock.low is sent no more.' })
  readonly lowStockThreshold?: number | null;
}

export class CreateMovementBody {
  @IdField({ presence: 'required', description: "The stock record's id (GET /inventory), not a product's." })
  readonly inventoryId!: number;
  @ChoiceField({
    presence: 'required',
    choices: MOVEMENT_TYPES,
    description:
      'ADD and ADJUST add to the quantity; SUBTRACT takes from the available quantity; RESERVE and RELEASE add to ' +
      'and take from the reserved quantity; RELEASE_AND_SUBTRACT takes from the quantity and its reserved part; ' +
      'ADD_AND_RESERVE adds to both; TRANSFER moves available quantity to another warehouse.',
  })
  readonly movementType!: MovementType;
  @QuantityField({
    presence: 'required',
    description: 'Always positive: the direction comes from movementType.',
    example: 2.5,
  })
  readonly quantity!: number;
  @IdField({
    presence: 'required',
    onlyIn: (body) => (body as CreateMovementBody).movementType === 'TRANSFER',
    description:
      'Required for TRANSFER, ignored otherwise. Its stock record of the product is made if there is none.',
  })
  readonly targetWarehouseId?: number | null;
  @UnitPriceField({ presence: 'optional', description: 'The cost of one unit.' })
  readonly unitPrice?: number | null;
  @TextField({ presence: 'optional', max: REASON_MAX, example: 'Damaged' })
  readonly reason?: string | null;
  @IdField({
    presence: 'optional',
    description: 'The cause of the movement. Stored as it is, and not looked up.',
  })
  readonly referenceId?: number | null;
  @TextField({
    presence: 'optional',
    max: REFERENCE_TYPE_MAX,
    description: 'The kind of the object that the id refers to.',
    example: 'SALE',
  })
  readonly referenceType?: string | null;
  @TextField({ presence: 'optional', max: NOTES_MAX }) readonly notes?: string | null;
}

export class ListStockQuery extends ListFilters(STOCK_FILTERS) {}

export class ListMovementsQuery extends ListFilters(MOVEMENT_FILTERS) {}

/** The stock record that a call has made or changed. */
export class StockRecordIdBody extends SuccessBody {
  @IntegerProperty() readonly inventoryId!: number;
}

export class ExistingStockRecordBody extends StockRecordIdBody {
  @ChoiceProperty([true]) readonly alreadyExists!: true;
}

export class StockRecordBody {
  @IntegerProperty({ description: 'The `inventoryId` of movements.' }) readonly id!: number;
  @IntegerProperty() readonly productId!: number;
  @IntegerProperty() readonly warehouseId!: number;
  @NumberProperty({ description: 'How much there is.' }) readonly quantity!: number;
  @NumberProperty({ description: 'How much of it is reserved.' }) readonly reservedQuantity!: number;
  @NumberProperty({ description: 'How much of it is not.' }) readonly availableQuantity!: number;
  @NumberProperty({
    nullable: true,
    description: 'stock.low is sent when what is available comes down to it; null: never.',
  })
  readonly lowStockThreshold!: number | null;
}

/** The effect of a movement on its stock record. */
export class RecordedMovementBody extends SuccessBody {
  @IntegerProperty({ description: 'Of a TRANSFER: the movement out of the source.' })
  readonly movementId!: number;
  @NumberProperty() readonly previousQuantity!: number;
  @NumberProperty() readonly newQuantity!: number;
  @NumberProperty() readonly previousReservedQuantity!: number;
  @NumberProperty() readonly newReservedQuantity!: number;
}

export class RecordedTransferBody extends RecordedMovementBody {
  @IntegerProperty({ description: 'The stock record of the product in the target warehouse.' })
  readonly targetInventoryId!: number;
  @NumberProperty() readonly targetPreviousQuantity!: number;
  @NumberProperty() readonly targetNewQuantity!: number;
}

class MovementBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty({ description: 'The stock record.' }) readonly inventoryId!: number;
  @IntegerProperty() readonly warehouseId!: number;
  @IntegerProperty({ description: 'The user that caused it.' }) readonly userId!: number;
  @IntegerProperty({ nullable: true, description: 'null: documents do not move stock yet.' })
  readonly documentId!: number | null;
  @ChoiceProperty(MOVEMENT_TYPES) readonly movementType!: string;
  @NumberProperty({ description: 'Always positive, in both movements of a TRANSFER.' })
  readonly quantity!: number;
  @NumberProperty({ description: 'Tells, with newQuantity, the direction of a TRANSFER.' })
  readonly previousQuantity!: number;
  @NumberProperty() readonly newQuantity!: number;
  @NumberProperty() readonly previousReservedQuantity!: number;
  @NumberProperty() readonly newReservedQuantity!: number;
  @IntegerProperty({ nullable: true, description: 'Of a TRANSFER: the stock record of its other movement.' })
  readonly counterpartInventoryId!: number | null;
  @NumberProperty({ nullable: true, description: 'The cost of one unit at the time.' })
  readonly unitPrice!: number | null;
  @TextProperty({ nullable: true }) readonly reason!: string | null;
  @IntegerProperty({ nullable: true }) readonly referenceId!: number | null;
  @TextProperty({ nullable: true }) readonly referenceType!: string | null;
  @TextProperty({ nullable: true }) readonly notes!: string | null;
  @BooleanProperty({ description: 'Whether no goods moved: RESERVE and RELEASE.' })
  readonly isVirtual!: boolean;
  @TimeProperty() readonly createdAt!: string;
}

class InventoryOfMovementBody {
  @IntegerProperty() readonly id!: number;
  @IntegerProperty() readonly productId!: number;
  @IntegerProperty() readonly warehouseId!: number;
}

class UserOfMovementBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
}

/** A row of the list of movements (contract §7.8). */
export class MovementRowBody {
  @ObjectProperty(MovementBody) readonly movement!: MovementBody;
  @ObjectProperty(InventoryOfMovementBody) readonly inventory!: InventoryOfMovementBody;
  @ObjectProperty(UserOfMovementBody) readonly user!: UserOfMovementBody;
}

export function presentStockRecord({ lowStockThreshold, ...record }: StockRecord): StockRecordBody {
  return { ...record, availableQuantity: calculateAvailable(record), lowStockThreshold };
}

/** Fills in the defaults. An empty optional text counts as left out. */
export function toRecordMovementInput(body: CreateMovementBody): RecordMovementInput {
  const { inventoryId, movementType, quantity } = body;
  return {
    ...{ inventoryId, movementType, quantity },
    targetWarehouseId: movementType === 'TRANSFER' ? (body.targetWarehouseId ?? null) : null,
    unitPrice: body.unitPrice ?? null,
    reason: body.reason ?? null,
    referenceId: body.referenceId ?? null,
    referenceType: body.referenceType ?? null,
    notes: body.notes ?? null,
  };
}

/** The answer to recording a movement (contract §7.4, §7.5). */
export function presentRecordedMovement({
  source: { movementId, before, after },
  target,
}: StepsTaken): RecordedMovementBody | RecordedTransferBody {
  const answer: RecordedMovementBody = {
    success: true,
    movementId,
    previousQuantity: before.quantity,
    newQuantity: after.quantity,
    previousReservedQuantity: before.reservedQuantity,
    newReservedQuantity: after.reservedQuantity,
  };
  if (!target) return answer;
  return {
    ...answer,
    targetInventoryId: target.inventoryId,
    targetPreviousQuantity: target.before.quantity,
    targetNewQuantity: target.after.quantity,
  };
}

/** Builds the row of contract §7.8. No document moves stock yet, so `documentId` is null. */
export function presentMovement(row: MovementRow): MovementRowBody {
  const { productId, userName, createdAt, ...movement } = row;
  const { inventoryId, warehouseId, userId, movementType } = movement;
  return {
    movement: {
      ...movement,
      documentId: null,
      isVirtual: isVirtual(movementType),
      createdAt: createdAt.toISOString(),
    },
    inventory: { id: inventoryId, productId, warehouseId },
    user: { id: userId, name: userName },
  };
}

export function presentStockRecordId({
  id: inventoryId,
  alreadyExists,
}: EnsuredStockRecord): StockRecordIdBody | ExistingStockRecordBody {
  return alreadyExists ? { success: true, inventoryId, alreadyExists } : { success: true, inventoryId };
}
