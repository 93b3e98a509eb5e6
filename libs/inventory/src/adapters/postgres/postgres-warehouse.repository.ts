import { insertWithId, managerOf } from '@counterfoil/database';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type NewWarehouse, WarehouseRepository } from '../../application/ports/warehouse.repository';
import { WarehouseSchema } from './warehouse.schema';

@Injectable()
export class PostgresWarehouseRepository extends WarehouseRepository {
  override async insert(tx: Transaction, warehouse: NewWarehouse): Promise<number> {
    return insertWithId(tx, WarehouseSchema, warehouse);
  }

  override has(tx: Transaction, companyId: number, id: number): Promise<boolean> {
    return managerOf(tx).existsBy(WarehouseSchema, { companyId, id });
  }
}
