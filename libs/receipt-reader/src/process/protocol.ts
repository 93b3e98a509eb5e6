import type { DocumentKind } from '../file-kind';
import type { Reading } from '../reading';
import type { Unreadable } from '../unreadable-document';

/** What a reader's process is asked. */
export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** What the document is said to be by an extension; null: its bytes alone tell. */
  readonly saidAs: DocumentKind | null;
  /** YYYY-MM-DD: nothing is dated later. */
  readonly today: string;
  /** Whether images may be recognised; otherwise a document that needs it comes back unread. */
  readonly recognise: boolean;
  /** Whether the text that the fields are found in is wanted too. */
  readonly withText: boolean;
}

/** What it answers. */
export type ReadAnswer =
  | {
      readonly kind: 'read';
      readonly reading: Reading;
      /** What it was found in, line by line; its beginning where it is long; empty where the fields are stated, or nobody wants it. */
      readonly text: string;
    }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable; readonly message: string }
  /** Only where `recognise` was false. */
  | { readonly kind: 'needs-recognition' }
  /** The reader met something it does not know: a fault of ours. */
  | { readonly kind: 'failed'; readonly message: string };

export interface NumberedRequest {
  readonly number: number;
  readonly request: ReadRequest;
}

export interface NumberedAnswer {
  readonly number: number;
  readonly answer: ReadAnswer;
}

/** What a reader's process is started with, as its first argument in JSON. */
export interface ChildSettings {
  /** The process ends itself when it is resident with more. */
  readonly memoryMaxBytes: number;
}
