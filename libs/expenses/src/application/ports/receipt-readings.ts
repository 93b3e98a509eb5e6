import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';
import type { ClaimedReading } from './reading-requests';

/** The content of a document, and its declared kind. */
export interface DocumentContent {
  readonly companyId: number;
  /** Hash of the bytes; lower-case hexadecimal. */
  readonly sha256: string;
  readonly declaredKind: DocumentKind | null;
}

/** Cached readings by content and reader version, for each company separately. */
export abstract class ReceiptReadings {
  /** Null if there is no reading of this version, or if it has expired. */
  abstract find(content: DocumentContent): Promise<ReadingOutcome | null>;

  /**
   * Replaces the reading of the same content. An outcome with the TTL `once` is not stored. An outcome is not
   * stored either if another worker has taken the claim, because that worker may find more.
   */
  abstract save(content: DocumentContent, outcome: ReadingOutcome, claim: ClaimedReading): Promise<void>;

  /**
   * Deletes readings that are older than `keptMs`.
   *
   * @param signal stops after the current batch
   */
  abstract purge(keptMs: number, signal: AbortSignal): Promise<void>;
}
