import type { Transaction } from '@counterfoil/kernel';
import type { WarehouseDetails } from '../../domain/warehouse';

export interface NewWarehouse extends WarehouseDetails {
  readonly companyId: number;
  readonly createdAt: Date;
}

/** Writes warehouses. They are never removed. */
export abstract class WarehouseRepository {
  /** @returns the warehouse's id */
  abstract insert(tx: Transaction, warehouse: NewWarehouse): Promise<number>;
  abstract has(tx: Transaction, companyId: number, id: number): Promise<boolean>;
}
