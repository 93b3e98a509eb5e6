import { MOVEMENT_TYPES, type MovementType } from '@counterfoil/inventory';
import {
  ChoiceField,
  IdField,
  QuantityField,
  QuantityOrZeroField,
  TextField,
  UnitPriceField,
} from '../http/fields';
import { IdQueryField, SearchField } from '../http/query-fields';

const NAME_MAX = 200;
const REASON_MAX = 500;
const REFERENCE_TYPE_MAX = 50;
const NOTES_MAX = 2_000;

export class CreateWarehouseBody {
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Main warehouse' })
  readonly name!: string;

  @IdField({ presence: 'optional', description: 'An address of POST /addresses/create.' })
  readonly addressId?: number | null;
}

export class CreateStockRecordBody {
  @IdField({ presence: 'required' })
  readonly productId!: number;

  @IdField({ presence: 'required' })
  readonly warehouseId!: number;

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
      'ADD and ADJUST add to the quantity; SUBTRACT takes of what is available; RESERVE and RELEASE move in and out ' +
      'of what is reserved; RELEASE_AND_SUBTRACT takes of what is reserved; ADD_AND_RESERVE adds to both; TRANSFER ' +
      'takes of what is available to another warehouse.',
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

  @UnitPriceField({ presence: 'optional', description: 'What one unit cost.' })
  readonly unitPrice?: number | null;

  @TextField({ presence: 'optional', max: REASON_MAX, mayBeEmpty: true, example: 'Damaged' })
  readonly reason?: string | null;

  @IdField({ presence: 'optional', description: 'What caused it. Kept as it is, and not looked up.' })
  readonly referenceId?: number | null;

  @TextField({
    presence: 'optional',
    max: REFERENCE_TYPE_MAX,
    mayBeEmpty: true,
    description: 'What the id refers to.',
    example: 'SALE',
  })
  readonly referenceType?: string | null;

  @TextField({ presence: 'optional', max: NOTES_MAX, mayBeEmpty: true })
  readonly notes?: string | null;
}

export class ListStockQuery {
  @IdQueryField()
  readonly productId?: number;

  @IdQueryField()
  readonly warehouseId?: number;
}

export class ListMovementsQuery {
  @IdQueryField({ description: 'Only movements of this stock record.' })
  readonly inventoryId?: number;

  @ChoiceField({ presence: 'edit', choices: MOVEMENT_TYPES })
  readonly movementType?: MovementType;

  @SearchField({ description: 'Part of the reason.' })
  readonly reason?: string;
}
