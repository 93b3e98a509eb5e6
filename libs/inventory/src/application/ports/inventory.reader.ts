import type { FilterFields, FilterOf, Page, PageRequest, Sort } from '@counterfoil/pagination';
import { MOVEMENT_TYPES, type MovementDetails } from '../../domain/movement';
import type { StockRecord } from '../../domain/stock-record';
import type { Warehouse } from '../../domain/warehouse';

export const STOCK_FILTERS = {
  productId: { kind: 'id' },
  warehouseId: { kind: 'id' },
  isLow: {
    kind: 'flag',
    description:
      'True: only those whose available quantity is at or below lowStockThreshold. False: only others.',
  },
} as const satisfies FilterFields;
export type StockFilter = FilterOf<typeof STOCK_FILTERS>;

export const MOVEMENT_FILTERS = {
  inventoryId: { kind: 'id', description: 'Only movements of this stock record.' },
  movementType: { kind: 'choice', choices: MOVEMENT_TYPES },
  reason: { kind: 'search', description: 'Part of the reason.' },
} as const satisfies FilterFields;
export type MovementFilter = FilterOf<typeof MOVEMENT_FILTERS>;

export const MOVEMENT_SORTS = ['createdAt', 'id', 'movementType', 'quantity'] as const;
export type MovementSort = Sort<(typeof MOVEMENT_SORTS)[number]>;

/** A movement of one stock record with its effect and the user who recorded it. */
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
  /** A transfer is two movements: the id of the stock record that the other one changed. Null for other types. */
  readonly counterpartInventoryId: number | null;
  readonly createdAt: Date;
}

/** Reads warehouses, stock records and movements. Rows and total of a page come from one snapshot. */
export abstract class InventoryReader {
  /** Yields all warehouses in batches, ordered by id. */
  abstract warehouses(companyId: number): AsyncIterable<readonly Warehouse[]>;

  /** Ordered by id. */
  abstract listRecords(companyId: number, filter: StockFilter, page: PageRequest): Promise<Page<StockRecord>>;
  abstract listMovements(
    companyId: number,
    filter: MovementFilter,
    sort: MovementSort,
    page: PageRequest,
  ): Promise<Page<MovementRow>>;
}
