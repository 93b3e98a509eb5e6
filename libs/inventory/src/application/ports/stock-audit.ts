import type { StockLevel } from '../../domain/stock-record';

/** A stock record that is not what its movements make it. */
export interface Disagreement {
  readonly companyId: number;
  readonly inventoryId: number;
  /** What the record says. */
  readonly recorded: StockLevel;
  /** What its movements come to. */
  readonly moved: StockLevel;
  /**
   * The first movement that does not go on from where the one before it ended, that does something else than its type
   * and quantity say, that is dated before the one before it, or that is half a transfer; null when there is none.
   */
  readonly brokenMovementId: number | null;
}

/** What some records were found to be. */
export interface AuditedRecords {
  /** How many were looked at; fewer than asked for: there are no more. */
  readonly records: number;
  readonly movements: number;
  readonly lastId: number;
  readonly disagreements: readonly Disagreement[];
}

/** Compares the stock records of all companies with their movements. */
export abstract class StockAudit {
  /** The next records by id, each with its movements as of one moment. */
  abstract audit(afterId: number, limit: number): Promise<AuditedRecords>;
}
