import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

export interface DocumentToRead {
  /** Whose it is: companies take turns. */
  readonly companyId: number;
  readonly bytes: Buffer;
  /** The kind by the extension. Null: the bytes alone decide. */
  readonly declaredKind: DocumentKind | null;
  /** Whether its pages are recognised; otherwise a document that needs it comes back unread. */
  readonly recognise: boolean;
  /** Identifies the document in the log: the request, and the file (null of a url). */
  readonly named: { readonly requestId: number; readonly fileId: number | null; readonly sha256: string };
  /** Aborted when nobody waits for the document any more. */
  readonly signal: AbortSignal;
}

/** The reader was stopped before it had read. The caller retries elsewhere. */
export class ReadingStopped extends Error {}

/** Nobody waited for the document when its turn came. */
export class ReadingWithdrawn extends Error {}

/** The reader did not come to the end of the document, and the machine may be to blame. */
export class ReadingStalled extends Error {}

/** Finds the fields of a receipt. It answers within the time limit of a reading, whatever the document contains. */
export abstract class ReceiptReader {
  /**
   * A field that is doubtful is left out (contract §12.3).
   *
   * @returns `needs-recognition` only where `recognise` was false
   * @throws ReadingStalled
   * @throws ReadingStopped once `stop` was called
   * @throws ReadingWithdrawn when the signal was aborted before the reading began
   */
  abstract read(document: DocumentToRead): Promise<ReadingOutcome | 'needs-recognition'>;

  /** Companies whose documents go last, one at a time: lately one of theirs ended the reader, or took it too long. */
  abstract heldBack(): readonly number[];

  /** Stops the readings under way. */
  abstract stop(): void;
}
