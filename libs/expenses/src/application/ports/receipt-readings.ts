import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';
import type { ClaimedReading } from './reading-requests';

/** The content of a document, and how it is to be read. */
export interface DocumentContent {
  readonly companyId: number;
  /** Of the bytes; hexadecimal, in lower case. */
  readonly sha256: string;
  readonly declaredKind: DocumentKind | null;
}

/** Cached readings, by content and by the version of the reader. Each company has its own. */
export abstract class ReceiptReadings {
  /** Null when it was not read yet, or only by another version, or what stood for a while no longer stands. */
  abstract find(content: DocumentContent): Promise<ReadingOutcome | null>;

  /**
   * Replaces the reading of the same content. A temporary outcome is not stored. Neither is one of a claim that
   * another worker has taken: that one may have found more.
   */
  abstract save(content: DocumentContent, outcome: ReadingOutcome, claim: ClaimedReading): Promise<void>;

  /**
   * Deletes readings that are older.
   *
   * @param signal stops it after the current batch
   */
  abstract purge(keptMs: number, signal: AbortSignal): Promise<void>;
}
