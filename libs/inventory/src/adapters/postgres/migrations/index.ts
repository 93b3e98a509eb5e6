import { Inventory1795392000000 } from './1795392000000-inventory';
import { WarehouseAddresses1795780400000 } from './1795780400000-warehouse-addresses';
import { WatchedStock1795790851000 } from './1795790851000-watched-stock';

export const INVENTORY_MIGRATIONS = [
  Inventory1795392000000,
  WarehouseAddresses1795780400000,
  WatchedStock1795790851000,
];
