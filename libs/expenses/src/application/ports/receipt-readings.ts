import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';
import type { ClaimedReading } from './reading-requests';

/** The content of a document, and how it is to be read. */
export interface DocumentContent {
  readonly companyId: number;
  /** Of the bytes; hexadecimal, in lower case. */
  readonly sha256: string;
  readonly saidAs: DocumentKind | null;
}

/** What was read, kept by content and by the version of the reader. Of each company its own. */
export abstract class ReceiptReadings {
  /** Null when it was not read yet, or only by another version, or what stood for a while no longer stands. */
  abstract find(content: DocumentContent): Promise<ReadingOutcome | null>;

  /**
   * Replaces what was kept of the same content; an outcome that stands once is not kept. Nor is any of a claim that has
   * been lost to another worker: it may have found more.
   */
  abstract save(content: DocumentContent, outcome: ReadingOutcome, claim: ClaimedReading): Promise<void>;

  /**
   * Removes what was read longer ago than this.
   *
   * @param signal ends it after the batch that runs
   */
  abstract purge(keptMs: number, signal: AbortSignal): Promise<void>;
}
