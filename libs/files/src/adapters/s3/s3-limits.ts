import { OPEN_AT_ONCE_MAX } from '../../application/ports/file-store';

/** The limits of requests to the store; tests use lower ones. Times are in milliseconds. */
export interface S3Limits {
  /** Objects that may be read at the same time. Each holds a connection for as long as its reader takes. */
  readonly readsAtOnce: number;
  /** Time until the store begins to answer one attempt. */
  readonly answerMaxMs: number;
  /** Time in which the store sends nothing to a waiting reader, or accepts no new bytes. */
  readonly silenceMaxMs: number;
  /** Time for sending one object, over all attempts. */
  readonly putMaxMs: number;
  readonly removeMaxMs: number;
  /** Pause before the second attempt to send an object, doubled before each further one. */
  readonly pauseMs: number;
  /** Bytes of all uploads in the temporary folder. A company may use at most as much as it leaves to the others. */
  readonly spoolBytes: number;
}

export const S3_LIMITS: Omit<S3Limits, 'spoolBytes'> = {
  // As many as may be open, so that no reader waits for a connection.
  readsAtOnce: OPEN_AT_ONCE_MAX,
  answerMaxMs: 10_000,
  silenceMaxMs: 30_000,
  putMaxMs: 120_000,
  removeMaxMs: 10_000,
  pauseMs: 500,
};
