import { IdempotencyModule } from '@counterfoil/idempotency';
import { CatalogModule } from '@counterfoil/catalog';
import { PartiesModule } from '@counterfoil/parties';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostgresInventoryReader } from './adapters/postgres/postgres-inventory.reader';
import { PostgresStockRepository } from './adapters/postgres/postgres-stock.repository';
import { PostgresWarehouseRepository } from './adapters/postgres/postgres-warehouse.repository';
import { WarehouseSchema } from './adapters/postgres/warehouse.schema';
import { CreateStockRecord } from './application/create-stock-record';
import { CreateWarehouse } from './application/create-warehouse';
import { EditStockRecord } from './application/edit-stock-record';
import { InventoryReader } from './application/ports/inventory.reader';
import { StockRepository } from './application/ports/stock.repository';
import { WarehouseRepository } from './application/ports/warehouse.repository';
import { RecordMovement } from './application/record-movement';

const USE_CASES = [CreateStockRecord, CreateWarehouse, EditStockRecord, RecordMovement];

@Module({
  imports: [CatalogModule, IdempotencyModule, PartiesModule, TypeOrmModule.forFeature([WarehouseSchema])],
  providers: [
    ...USE_CASES,
    { provide: InventoryReader, useClass: PostgresInventoryReader },
    { provide: StockRepository, useClass: PostgresStockRepository },
    { provide: WarehouseRepository, useClass: PostgresWarehouseRepository },
  ],
  exports: [...USE_CASES, InventoryReader],
})
export class InventoryModule {}
