import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

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
  abstract find(content: DocumentContent, now: Date): Promise<ReadingOutcome | null>;

  /** Replaces what was kept of the same content; an outcome that stands once is not kept. */
  abstract save(content: DocumentContent, outcome: ReadingOutcome, now: Date): Promise<void>;

  /** Removes what was read before a time. */
  abstract purge(readBefore: Date): Promise<void>;
}
