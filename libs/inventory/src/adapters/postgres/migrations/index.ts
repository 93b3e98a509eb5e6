import { Inventory1795392000000 } from './1795392000000-inventory';

export const INVENTORY_MIGRATIONS = [Inventory1795392000000];
