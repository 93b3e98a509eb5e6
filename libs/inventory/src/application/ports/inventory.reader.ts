import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import { MOVEMENT_TYPES, type MovementDetails } from '../../domain/movement';
import type { StockRecord } from '../../domain/stock-record';
import type { Warehouse } from '../../domain/warehouse';

export const STOCK_FILTERS = {
  productId: { kind: 'id' },
  warehouseId: { kind: 'id' },
} as const satisfies FilterFields;
export type StockFilter = FilterOf<typeof STOCK_FILTERS>;

export const MOVEMENT_FILTERS = {
  inventoryId: { kind: 'id', description: 'Only movements of this stock record.' },
  movementType: { kind: 'choice', choices: MOVEMENT_TYPES },
  reason: { kind: 'search', description: 'Part of the reason.' },
} as const satisfies FilterFields;
export type MovementFilter = FilterOf<typeof MOVEMENT_FILTERS>;

/** What movements can be sorted by. */
export const MOVEMENT_SORTS = ['createdAt', 'id', 'movementType', 'quantity'] as const;
export type MovementSort = Sort<(typeof MOVEMENT_SORTS)[number]>;

/** A movement of one stock record, with what it did to it, and who asked for it. */
export interface MovementRow extends MovementDetails {
  readonly id: number;
  readonly inventoryId: number;
  readonly productId: number;
  readonly warehouseId: number;
  readonly userId: number;
  readonly userName: string;
  readonly previousQuantity: number;
  readonly newQuantity: number;
  readonly previousReservedQuantity: number;
  readonly newReservedQuantity: number;
  /** Of a TRANSFER: the stock record of its other movement; null for all else. */
  readonly counterpartInventoryId: number | null;
  readonly createdAt: Date;
}

/** Reads warehouses, stock records and movements. The rows of a list and their number are of one moment. */
export abstract class InventoryReader {
  /** All of them, by id. */
  abstract warehouses(companyId: number): Promise<readonly Warehouse[]>;
  /** By id. */
  abstract records(companyId: number, filter: StockFilter, page: PageRequest): Promise<Page<StockRecord>>;
  abstract movements(
    companyId: number,
    filter: MovementFilter,
    sort: MovementSort,
    page: PageRequest,
  ): Promise<Page<MovementRow>>;
}
