import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

export interface DocumentToRead {
  /** Whose it is: companies take turns. */
  readonly companyId: number;
  readonly bytes: Buffer;
  /** What the document is said to be by an extension; null: its bytes alone tell. */
  readonly saidAs: DocumentKind | null;
}

/** The reader was stopped before it had read: whoever asked asks again, elsewhere. */
export class ReadingStopped extends Error {}

/** Finds the fields of a receipt. Whatever a document does to it, it answers, in the time that a reading may take. */
export abstract class ReceiptReader {
  /**
   * A field that is doubtful is left out (decisions §7).
   *
   * @throws ReadingStopped once `stop` was called
   */
  abstract read(document: DocumentToRead): Promise<ReadingOutcome>;

  /** Ends what is being read. */
  abstract stop(): void;
}
