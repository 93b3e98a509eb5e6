import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** SQLSTATEs after which a repetition of the transaction may succeed: serialization failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The server refuses writes: it is a standby or configured as read-only. */
export const READ_ONLY = '25006';

/**
 * PgBouncer closes a connection with this code for every reason, such as that the server is away, that no session was
 * free in time, or that it does not support a start-up parameter. Without the severity `FATAL`, the code means that we sent something invalid.
 */
export const PROTOCOL_VIOLATION = '08P01';
/**
 * The database is temporarily unusable: starting or stopping, unreachable, read-only, or a statement or lock
 * timeout.
 */
const UNAVAILABLE_SQLSTATE = /^(08(?!P01)...|57P0.|57014|53...|25006|25P0[34]|55P03)$/;
/** The server is down or unreachable, or this machine has no network. */
const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
]);
/** Errors that pg throws without a code. Only the exact messages identify them. */
const UNAVAILABLE_MESSAGES = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  // A read that runs while the process stops.
  'Cannot use a pool after calling end on the pool',
]);

/** Errors of TypeORM when the connection is lost between two statements of a transaction. */
const LOST_CONNECTION = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** Whether the database is unavailable, so that the caller gets `UNAVAILABLE` with `Retry-After`. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === PROTOCOL_VIOLATION && (error as { severity?: unknown }).severity === 'FATAL') return true;
  if (UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM.has(code) || isRetryable(error)) return true;
  if (LOST_CONNECTION.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGES.has(error.message);
}

/** Whether this unique constraint or index refused a write. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

/** Whether this foreign key refused a write, because the referenced row does not exist or no longer does. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** Whether a statement waited for a lock longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/** Whether PostgreSQL cancelled a statement because it took longer than `statement_timeout`. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === QUERY_CANCELED;
}

function isViolation(error: unknown, sqlState: string, constraint: string): boolean {
  return codeOf(error) === sqlState && (error as { constraint?: unknown }).constraint === constraint;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
