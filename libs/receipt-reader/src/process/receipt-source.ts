import type { DocumentKind } from '../file-kind';
import type { ReadAnswer } from './protocol';

export interface ReceiptDocument {
  /** Owners take turns. */
  readonly owner: number;
  readonly bytes: Uint8Array;
  /** The kind by the file extension. null: only the bytes decide. */
  readonly declaredKind: DocumentKind | null;
  /** YYYY-MM-DD. Later dates are ignored. */
  readonly today: string;
  /** Whether OCR may be used. If false, a document that needs it returns `needs-recognition`. */
  readonly recognise: boolean;
  /** Whether the answer includes the text in which the fields were found. */
  readonly withText: boolean;
  /** Withdraws the document until its reading starts. */
  readonly signal?: AbortSignal;
}

/** Reads receipts in local processes or in another container. */
export interface ReceiptSource {
  /** @throws ReaderLost if the process ended before it answered, or the document was withdrawn */
  read(document: ReceiptDocument): Promise<ReadAnswer>;
  /**
   * Returns the owners whose documents are read last, because a recent one took too much time or ended a
   * process.
   */
  heldBack(): readonly number[];
  stop(): void;
}
