/**
 * The error codes that callers meet everywhere (decisions §2). A context adds those that are its own:
 *
 *     declare module '@counterfoil/kernel' {
 *       interface ErrorCodes {
 *         INSUFFICIENT_STOCK: true;
 *       }
 *     }
 *
 * `apps/api` maps each to one HTTP status, exhaustively: a code without one does not compile.
 */
export interface ErrorCodes {
  VALIDATION_FAILED: true;
  UNKNOWN_REFERENCE: true;
  INVALID_IDEMPOTENCY_KEY: true;
  URL_NOT_ALLOWED: true;
  UNAUTHENTICATED: true;
  FORBIDDEN: true;
  NOT_FOUND: true;
  METHOD_NOT_ALLOWED: true;
  INVALID_STATE: true;
  LIMIT_REACHED: true;
  PAYLOAD_TOO_LARGE: true;
  UNSUPPORTED_MEDIA_TYPE: true;
  RATE_LIMITED: true;
  UNAVAILABLE: true;
  INTERNAL: true;
}

export type ErrorCode = keyof ErrorCodes;

/** One thing wrong with one field: `{ field: "items[0].quantity", problem: "must be greater than zero" }`. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

export interface AppErrorOptions {
  readonly details?: readonly FieldProblem[];
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The one error that libraries throw. `message` is shown to the caller: no internals in it. */
export class AppError extends Error {
  readonly details: readonly FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** `VALIDATION_FAILED` whose message names the first problem and whose details name them all. */
export function validationFailed(details: readonly FieldProblem[]): AppError {
  const [first] = details;
  const message = first ? `${first.field} ${first.problem}` : 'the request is not valid';
  return new AppError('VALIDATION_FAILED', message, { details });
}

/** `UNKNOWN_REFERENCE`: a body refers to something that this company does not have (decisions §2). */
export function unknownReference(field: string, what: string): AppError {
  return new AppError('UNKNOWN_REFERENCE', `${field} refers to no ${what} of this company`, {
    details: [{ field, problem: `refers to no ${what} of this company` }],
  });
}
