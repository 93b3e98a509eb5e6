import { OPEN_AT_ONCE_MAX } from '../../application/ports/file-store';

/** The limits of requests to the store; tests use lower ones. Times are in milliseconds. */
export interface S3Limits {
  /** Objects that are being read at once, each of which holds a connection for as long as its reader likes. */
  readonly readsAtOnce: number;
  /** Until the store begins to answer; of one attempt. */
  readonly answerMaxMs: number;
  /** Without anything from the store for which somebody waits, or without anything new that it takes. */
  readonly silenceMaxMs: number;
  /** For sending one object, however often. */
  readonly putMaxMs: number;
  readonly removeMaxMs: number;
  /** Before the second attempt at an object; twice as long before the third. */
  readonly pauseMs: number;
}

export const S3_LIMITS: S3Limits = {
  // So that none waits for a connection.
  readsAtOnce: OPEN_AT_ONCE_MAX,
  answerMaxMs: 10_000,
  silenceMaxMs: 30_000,
  putMaxMs: 120_000,
  removeMaxMs: 10_000,
  pauseMs: 500,
};
