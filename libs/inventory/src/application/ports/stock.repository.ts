import type { Caller, Transaction } from '@counterfoil/kernel';
import type { MovementDetails, Step, StepsTaken } from '../../domain/movement';
import type { StockLevel, StockPlace, StockRecord } from '../../domain/stock-record';

/** Where a transfer goes. */
export interface Destination {
  readonly productId: number;
  /** Where the stock is now. */
  readonly sourceWarehouseId: number;
  /** Null when this company has no such warehouse. */
  readonly warehouseId: number | null;
  /** Its stock record of the product; null when there is none yet. */
  readonly inventoryId: number | null;
}

export interface NewMovement {
  readonly details: MovementDetails;
  readonly source: Step;
  /** Of another record; null for all but a TRANSFER. */
  readonly target: Step | null;
  readonly at: Date;
}

/** Both steps were taken, or none, because a record did not allow its step. */
export type Moved = StepsTaken | { readonly refused: Step; readonly before: StockLevel };

/** Writes stock records and movements. Neither is ever removed, and no movement is ever changed. */
export abstract class StockRepository {
  /**
   * The stock record of a product in a warehouse, made if there is none. Who makes the same one at once waits; so this
   * comes before anything that is locked.
   *
   * @param record of a product and a warehouse of the company
   */
  abstract ensure(
    tx: Transaction,
    companyId: number,
    record: StockPlace & Pick<StockRecord, 'lowStockThreshold'> & { readonly createdAt: Date },
  ): Promise<{ readonly id: number; readonly alreadyExists: boolean }>;

  /**
   * Locks the records, by their ids upwards, changes them and writes the movements, in one statement. A movement is
   * dated later than `at` if the record has one that is.
   *
   * @returns null when the company does not have all of the records
   */
  abstract move(tx: Transaction, caller: Caller, movement: NewMovement): Promise<Moved | null>;

  /**
   * @param lowStockThreshold undefined leaves it as it is
   * @returns whether the company has the record
   */
  abstract setThreshold(
    tx: Transaction,
    companyId: number,
    id: number,
    lowStockThreshold: number | null | undefined,
  ): Promise<boolean>;

  /** Where a transfer would go, without any lock: records and warehouses stay. Null when there is no such record. */
  abstract destinationOf(
    companyId: number,
    inventoryId: number,
    targetWarehouseId: number,
  ): Promise<Destination | null>;
}
