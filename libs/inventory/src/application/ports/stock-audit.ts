import type { StockLevel } from '../../domain/stock-record';

/** A stock record that does not equal the sum of its movements, or whose movements are inconsistent. */
export interface Disagreement {
  readonly companyId: number;
  readonly inventoryId: number;
  readonly recorded: StockLevel;
  /** The sum of its movements. */
  readonly moved: StockLevel;
  /**
   * The first movement that does not start at the end of the previous one, whose effect does not match its
   * type and quantity, that is dated before the previous one, or that lacks the other half of a transfer.
   * Null when all are fine.
   */
  readonly brokenMovementId: number | null;
}

export interface AuditedRecords {
  /** The number of records checked. Fewer than the limit means that there are no more. */
  readonly records: number;
  readonly movements: number;
  readonly lastId: number;
  readonly disagreements: readonly Disagreement[];
}

/** Compares the stock records of all companies with their movements. */
export abstract class StockAudit {
  /** Checks the next records by id, each with its movements of one snapshot. */
  abstract audit(afterId: number, limit: number): Promise<AuditedRecords>;
}
