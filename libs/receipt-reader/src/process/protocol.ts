import type { DocumentKind } from '../file-kind';
import type { Reading } from '../reading';
import type { Unreadable } from '../unreadable-document';

/** A request to a reader's process. */
export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** The kind by the extension. Null: the bytes alone decide. */
  readonly declaredKind: DocumentKind | null;
  /** YYYY-MM-DD: nothing is dated later. */
  readonly today: string;
  /** Whether images may be recognised; otherwise a document that needs it comes back unread. */
  readonly recognise: boolean;
  /** Whether the text that the fields are found in is wanted too. */
  readonly withText: boolean;
}

/** The answer of a reader's process. */
export type ReadAnswer =
  | {
      readonly kind: 'read';
      readonly reading: Reading;
      /**
       * The text in which the fields were found, line by line. It is cut off if it is long, and empty if the fields
       * are stated or nobody wants it.
       */
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
  /** Processor time that the document took. */
  readonly cpuMs?: number;
}

/** Sent once, when the process is loaded: only from then on does a document spend its own time. */
export interface Ready {
  readonly ready: true;
}

/**
 * The file descriptor whose other end closes when the parent ends. The process writes its processor time to it:
 * milliseconds, one line each.
 */
export const LIFELINE = 4;

/** The settings of a reader's process: its first argument, in JSON. */
export interface ChildSettings {
  /** The process ends itself when it is resident with more. */
  readonly memoryMaxBytes: number;
}
