import type { DocumentKind } from '../file-kind';
import type { Reading } from '../reading';
import type { ReadingLimits } from '../reading-time';
import type { Unreadable } from '../unreadable-document';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** The kind by the file extension. null: only the bytes decide. */
  readonly declaredKind: DocumentKind | null;
  /** YYYY-MM-DD. Later dates are ignored. */
  readonly today: string;
  /** Whether OCR may be used. If false, a document that needs it returns `needs-recognition`. */
  readonly recognise: boolean;
  /** Whether the answer includes the text in which the fields were found. */
  readonly withText: boolean;
}

export type ReadAnswer =
  | {
      readonly kind: 'read';
      readonly reading: Reading;
      /**
       * The text in which the fields were found, line by line. Long text is truncated. It is empty if the
       * document states the fields as data, or if the text was not requested.
       */
      readonly text: string;
      /** An unexpected error of the reader because of which pages were left out. */
      readonly fault?: string;
    }
  | { readonly kind: 'unreadable'; readonly reason: Unreadable; readonly message: string }
  /** Only if `recognise` was false. */
  | { readonly kind: 'needs-recognition' }
  /** An unexpected error of the reader. The document is not at fault. */
  | { readonly kind: 'failed'; readonly message: string };

export interface NumberedRequest {
  readonly number: number;
  readonly request: ReadRequest;
}

/** A document as far as it was read. */
export type PartAnswer = Extract<ReadAnswer, { readonly kind: 'read' }>;

export type NumberedAnswer =
  | {
      readonly number: number;
      readonly answer: ReadAnswer;
      /** Processor time of the document. */
      readonly cpuMs?: number;
      /** The resident memory of the process after the document. */
      readonly memoryBytes?: number;
      readonly isPart?: never;
    }
  /** The document is still being read. This is what is known of it if the process ends before it answers. */
  | { readonly number: number; readonly answer: PartAnswer; readonly isPart: true };

/** Sent once, after the process has loaded. The time of a document starts only then. */
export interface Ready {
  readonly ready: true;
}

/**
 * The file descriptor whose other end closes when the parent ends. The process writes its processor time to
 * it: milliseconds, one line each.
 */
export const LIFELINE = 4;

/** The settings of a reader process, passed as its first argument in JSON. */
export interface ChildSettings {
  /** The process ends itself if its resident memory exceeds this. */
  readonly memoryMaxBytes: number;
  /** No further page of a document is begun if it would not end within these limits. */
  readonly document: ReadingLimits;
}
