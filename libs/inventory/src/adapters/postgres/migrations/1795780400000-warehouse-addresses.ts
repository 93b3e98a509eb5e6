import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the addresses of warehouses, which only the erasure of a company deletes. */
export class WarehouseAddresses1795780400000 extends Migration {
  override readonly name = 'WarehouseAddresses1795780400000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    const definition = 'on warehouses (address_id) where address_id is not null';
    await buildIndex(runner, 'warehouses_address', definition);
  }
}
