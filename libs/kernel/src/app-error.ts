/**
 * The error codes that any route can answer (contract §3.2). A context adds its own:
 *
 *     declare module '@counterfoil/kernel' {
 *       interface ErrorCodes {
 *         INSUFFICIENT_STOCK: true;
 *       }
 *     }
 *
 * `apps/api` maps each code to one HTTP status. A code without a status does not compile.
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

/** Example: `{ field: "items[0].quantity", problem: "must be greater than zero" }`. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

export interface AppErrorOptions {
  readonly details?: readonly FieldProblem[];
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * The only error class that libraries throw for callers. The API sends `message`, so it must not expose
 * internals.
 */
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

/** Builds a `VALIDATION_FAILED` error. Its message names the first problem, its details list all of them. */
export function validationFailed(details: readonly FieldProblem[]): AppError {
  const [first] = details;
  const message = first ? `${first.field} ${first.problem}` : 'the request is not valid';
  return new AppError('VALIDATION_FAILED', message, { details });
}

/**
 * Builds an `UNKNOWN_REFERENCE` error, for a body that names an id the company does not have (contract §3.4).
 */
export function unknownReference(field: string, what: string): AppError {
  return new AppError('UNKNOWN_REFERENCE', `${field} refers to no ${what} of this company`, {
    details: [{ field, problem: `refers to no ${what} of this company` }],
  });
}
