import type { Caller, Transaction } from '@counterfoil/kernel';
import type { MovementDetails, Step, StepsTaken } from '../../domain/movement';
import type { StockLevel, StockPlace, StockRecord } from '../../domain/stock-record';

export interface Destination {
  readonly productId: number;
  readonly sourceWarehouseId: number;
  /** The target warehouse. Null when this company has no such warehouse. */
  readonly warehouseId: number | null;
  /** The product's stock record in the target warehouse. Null when there is none yet. */
  readonly inventoryId: number | null;
}

export interface NewMovement {
  readonly details: MovementDetails;
  readonly source: Step;
  /** The step of the other record of a TRANSFER; otherwise null. */
  readonly target: Step | null;
  readonly at: Date;
}

/** Either all steps were taken, or none because a record refused its step. */
export type Moved = StepsTaken | { readonly refused: Step; readonly before: StockLevel };

/** Writes stock records and movements. Neither is ever removed, and movements are never changed. */
export abstract class StockRepository {
  /**
   * Finds or creates the stock record of a product in a warehouse. Call it before taking any lock: it waits
   * for a concurrent transaction that creates the same record, which could deadlock.
   *
   * @param record its product and warehouse belong to the company
   */
  abstract ensure(
    tx: Transaction,
    companyId: number,
    record: StockPlace & Pick<StockRecord, 'lowStockThreshold'> & { readonly createdAt: Date },
  ): Promise<{ readonly id: number; readonly alreadyExists: boolean }>;

  /**
   * Locks the records in the order of their ids, changes them and writes the movements, in one statement. The
   * movement is dated `at`, or as the record's last movement if that one is later.
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

  /**
   * Finds the destination of a transfer without a lock, since records and warehouses are never removed. Null
   * when the company has no such record.
   */
  abstract findDestination(
    companyId: number,
    inventoryId: number,
    targetWarehouseId: number,
  ): Promise<Destination | null>;
}
