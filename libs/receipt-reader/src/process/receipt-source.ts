import type { DocumentKind } from '../file-kind';
import type { ReadAnswer } from './protocol';

export interface ReceiptDocument {
  /** Whose it is: owners take turns. */
  readonly owner: number;
  readonly bytes: Uint8Array;
  /** The kind by the extension. Null: the bytes alone decide. */
  readonly declaredKind: DocumentKind | null;
  /** YYYY-MM-DD: nothing is dated later. */
  readonly today: string;
  /** Whether its pages are recognised; otherwise a document that needs it comes back unread. */
  readonly recognise: boolean;
  /** Whether the text that the fields are found in is wanted too. */
  readonly withText: boolean;
  /** Withdraws the document until its reading starts. */
  readonly signal?: AbortSignal;
}

/** Reads receipts, wherever the processes are that do. */
export interface ReceiptSource {
  /** @throws ReaderLost when the process did not live to answer, or the document was withdrawn */
  read(document: ReceiptDocument): Promise<ReadAnswer>;
  /** Whose documents are read last, for what theirs have cost the others lately. */
  heldBack(): readonly number[];
  stop(): void;
}
