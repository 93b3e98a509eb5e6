export { CreateStockRecord, type NewStockRecord } from './application/create-stock-record';
export { CreateWarehouse } from './application/create-warehouse';
export { EditStockRecord } from './application/edit-stock-record';
export {
  InventoryReader,
  MOVEMENT_SORTS,
  type MovementFilter,
  type MovementRow,
  type MovementSort,
  type StockFilter,
} from './application/ports/inventory.reader';
export { type Disagreement } from './application/ports/stock-audit';
export { type AskedMovement, RecordMovement } from './application/record-movement';
export { VerifyStock } from './application/verify-stock';
export { isVirtual, MOVEMENT_TYPES, type MovementType, type StepsTaken } from './domain/movement';
export { availableOf, type StockRecord } from './domain/stock-record';
export { type Warehouse, type WarehouseDetails } from './domain/warehouse';
export { InventoryModule } from './inventory.module';
export { StockAuditModule } from './stock-audit.module';
