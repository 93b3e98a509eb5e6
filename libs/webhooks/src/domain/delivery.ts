/** Why an attempt failed, honestly told. */
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

/** The outcome of sending an event once. */
export interface AttemptOutcome {
  /** The HTTP status, or null when none arrived. */
  readonly status: number | null;
  /** Null when the endpoint acknowledged. */
  readonly failure: AttemptFailure | null;
  /** The first 1 KiB of the answer, as text. */
  readonly response: string | null;
  /** The answer went on and on, or dripped, and its connection was given up. */
  readonly cutOff?: boolean;
  /** The connection had been open before. */
  readonly connectionKept?: boolean;
  /** For the operator's log, and never for the customer: it may tell what the internal DNS knows. */
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
 * Returns the next step after an attempt (contract §15.10, §15.11). Each delay is counted from the end of the previous
 * attempt. When the table is used up, the delivery is dropped.
 *
 * @param attempt the number of the attempt since the delivery was made or last redelivered, from 1
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
