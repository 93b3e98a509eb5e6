/** The codes of the service's errors: docs/errors.md explains each. */
export type ServiceErrorCode =
  | 'VALIDATION_FAILED'
  | 'INVALID_PRICELIST'
  | 'MISSING_URL'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'INVALID_CURSOR'
  | 'INVALID_UPDATED_SINCE'
  | 'UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION'
  | 'URL_NOT_ALLOWED'
  | 'UNKNOWN_REFERENCE'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'COMPANY_SUSPENDED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'REQUEST_IN_PROGRESS'
  | 'INSUFFICIENT_STOCK'
  | 'INVALID_STATE'
  | 'LIMIT_REACHED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'EXTRACTION_FAILED'
  | 'RATE_LIMITED'
  | 'INTERNAL'
  | 'FETCH_FAILED'
  | 'UNAVAILABLE'
  | 'EXTRACTION_TIMEOUT';

/**
 * The codes of this package, for calls without an answer of the service. `CONNECTION_FAILED`: no answer, or a
 * part of one. `TIMED_OUT`: none within `timeout`. `UNEXPECTED_ANSWER`: an answer of something else, such as
 * a proxy.
 */
export type ClientErrorCode = 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER';

export type ErrorCode = ServiceErrorCode | ClientErrorCode;

/** A code that a newer service may send in addition to the known ones. */
type Later = string & Record<never, never>;

/** A field of the request, and what is wrong with it. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** Every field of an error that may be absent. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly fields?: readonly FieldProblem[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The only error of a call that was sent, apart from the reason of its own `AbortSignal`. */
export class CounterfoilError extends Error {
  override readonly name = 'CounterfoilError';
  /** The status of the answer; undefined without one. */
  readonly status: number | undefined;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The fields that the service objects to; empty if it names none. */
  readonly fields: readonly FieldProblem[];
  /** Seconds until another attempt makes sense, if the service names them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode | Later,
    message: string,
    { status, requestId, fields = [], retryAfterSeconds, cause }: ErrorDetails = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The first of `fields`. */
  get field(): string | undefined {
    return this.fields[0]?.field;
  }
}

/**
 * Whether a caught value is an error of this package with one of the codes; without codes, with any. It also
 * recognises errors of a second copy of this package, unlike `instanceof`.
 */
export function isCounterfoilError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is CounterfoilError & { readonly code: Code } {
  if (!(error instanceof Error) || error.name !== 'CounterfoilError') return false;
  const { code } = error as CounterfoilError;
  return codes.length === 0 || codes.some((one) => one === code);
}
