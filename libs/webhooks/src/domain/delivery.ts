/** Why an attempt failed, honestly told. */
export type AttemptFailure =
  'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'blocked' | 'too_large' | 'status';

/** What came of sending an event once. */
export interface AttemptOutcome {
  /** The HTTP status, or null when none arrived. */
  readonly status: number | null;
  /** Null when the endpoint acknowledged. */
  readonly failure: AttemptFailure | null;
  /** The first 1 KiB of the answer, as text. */
  readonly response: string | null;
}

/** A delivery is `pending` until its first attempt and `waiting` between attempts. */
export type DeliveryState = 'pending' | 'waiting' | 'delivered' | 'dropped';

export interface NextStep {
  readonly state: DeliveryState;
  /** Set while the delivery waits for another attempt. */
  readonly nextAttemptAt: Date | null;
}

/**
 * What follows an attempt (spec: Delivery and retries). Each delay is counted from the end of the attempt before;
 * when the table is used up, the delivery is dropped.
 *
 * @param attempt which attempt it was, from 1
 */
export function afterAttempt(
  outcome: AttemptOutcome,
  attempt: number,
  endedAt: Date,
  retryDelaysMs: readonly number[],
): NextStep {
  if (outcome.failure === null) return { state: 'delivered', nextAttemptAt: null };
  const delayMs = retryDelaysMs[attempt - 1];
  if (delayMs === undefined) return { state: 'dropped', nextAttemptAt: null };
  return { state: 'waiting', nextAttemptAt: new Date(endedAt.getTime() + delayMs) };
}
