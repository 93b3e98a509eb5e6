export { INVENTORY_COMPANY_DATA } from './adapters/postgres/company-data.sql';
export { INVENTORY_MIGRATIONS } from './adapters/postgres/migrations';
export { CreateStockRecord, type EnsuredStockRecord } from './application/create-stock-record';
export { CreateWarehouse } from './application/create-warehouse';
export { EditStockRecord } from './application/edit-stock-record';
export { MOVEMENT_EVENTS, STOCK_EVENTS } from './application/events';
export {
  InventoryReader,
  MOVEMENT_FILTERS,
  MOVEMENT_SORTS,
  STOCK_FILTERS,
  type MovementRow,
  type MovementSort,
} from './application/ports/inventory.reader';
export { type RecordMovementInput, RecordMovement } from './application/record-movement';
export { VerifyStock } from './application/verify-stock';
export { isVirtual, MOVEMENT_TYPES, type MovementType, type StepsTaken } from './domain/movement';
export { calculateAvailable, type StockRecord } from './domain/stock-record';
export { type Warehouse } from './domain/warehouse';
export { InventoryModule } from './inventory.module';
export { StockAuditModule } from './stock-audit.module';
