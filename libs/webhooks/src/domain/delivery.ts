/** The reason why an attempt failed. */
export const ATTEMPT_FAILURES = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'blocked',
  'too_large',
  'status',
] as const;
export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];

/** The outcome of one attempt. */
export interface AttemptOutcome {
  /** The HTTP status, or null without a response. */
  readonly status: number | null;
  /** Null if the endpoint acknowledged. */
  readonly failure: AttemptFailure | null;
  /** The first 1 KiB of the response, as text. */
  readonly response: string | null;
  /** True if the response was too long or too slow, and its connection was closed. */
  readonly cutOff?: boolean;
  /** True if the attempt reused an open connection. */
  readonly connectionKept?: boolean;
  /**
   * For the operator's log only. Customers must not see it, because it may contain data of the internal DNS.
   */
  readonly cause?: string;
}

/** A delivery is `pending` until its first attempt and `waiting` between attempts. */
export const DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface NextStep {
  readonly state: DeliveryState;
  /** Set while the delivery waits for another attempt. */
  readonly nextAttemptAt: Date | null;
}

/**
 * Returns the next state after an attempt (contract §15.10, §15.11). Each delay starts at the end of the
 * previous attempt. After the last entry of the retry table, the delivery is dropped.
 *
 * @param attempt the number of the attempt since the delivery was created or last redelivered, from 1
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
