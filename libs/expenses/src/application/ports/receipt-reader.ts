import type { DocumentKind } from '@counterfoil/receipt-reader';
import type { ReadingOutcome } from './reading-outcome';

export interface DocumentToRead {
  /** The owner of the document. Companies take turns. */
  readonly companyId: number;
  readonly bytes: Buffer;
  /** The kind by the file extension. null: only the bytes decide. */
  readonly declaredKind: DocumentKind | null;
  /** Whether OCR may be used. If false, a document that needs it returns `needs-recognition`. */
  readonly recognise: boolean;
  /** Identifies the document in the log: the request and the file (null for a URL). */
  readonly named: { readonly requestId: number; readonly fileId: number | null; readonly sha256: string };
  /** Aborted when no caller waits for the document any more. */
  readonly signal: AbortSignal;
}

/**
 * Thrown if the reader was stopped. The caller releases the claim, so that another worker can read the
 * document.
 */
export class ReadingStopped extends Error {}

/** Thrown if no caller waited for the document any more when its turn came. */
export class ReadingWithdrawn extends Error {}

/** Thrown if the reader did not finish the document, possibly because the machine was too busy. */
export class ReadingStalled extends Error {
  /** @param part the outcome of the pages that were read until then */
  constructor(readonly part?: ReadingOutcome) {
    super();
  }
}

/**
 * Finds the fields of a receipt. It answers within the time limit of a reading, whatever the document
 * contains.
 */
export abstract class ReceiptReader {
  /**
   * Uncertain fields are left out (contract §12.3).
   *
   * @returns `needs-recognition` only if `recognise` is false
   * @throws ReadingStalled
   * @throws ReadingStopped after `stop` was called
   * @throws ReadingWithdrawn if the signal was aborted before the reading started
   */
  abstract read(document: DocumentToRead): Promise<ReadingOutcome | 'needs-recognition'>;

  /**
   * Returns the companies whose documents are read last and one at a time, because a recent document of
   * theirs ended the reader or took too long.
   */
  abstract heldBack(): readonly number[];

  /** Aborts the current readings. */
  abstract stop(): void;
}
