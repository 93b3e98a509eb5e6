import type { Warehouse } from '@counterfoil/inventory';
import { IntegerProperty, SuccessBody, TextProperty, TimeProperty } from '../http/answers';
import { IdField, TextField } from '../http/fields';

const NAME_MAX = 200;

export class CreateWarehouseBody {
  @TextField({ presence: 'required', max: NAME_MAX, example: 'Main warehouse' }) readonly name!: string;
  @IdField({ presence: 'optional', description: 'An address of POST /addresses/create.' })
  readonly addressId?: number | null;
}

export class CreatedWarehouseBody extends SuccessBody {
  @IntegerProperty() readonly warehouseId!: number;
}

export class WarehouseBody {
  @IntegerProperty() readonly id!: number;
  @TextProperty() readonly name!: string;
  @IntegerProperty({ nullable: true }) readonly addressId!: number | null;
  @TimeProperty() readonly createdAt!: string;
}

export function presentWarehouse({ createdAt, ...warehouse }: Warehouse): WarehouseBody {
  return { ...warehouse, createdAt: createdAt.toISOString() };
}

export function presentCreatedWarehouse(warehouseId: number): CreatedWarehouseBody {
  return { success: true, warehouseId };
}
