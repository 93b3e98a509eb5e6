import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

/** SQLSTATEs after which the same transaction may well succeed: serialization failure, deadlock. */
const RETRYABLE = new Set(['40001', '40P01']);

/** The server takes no writes: it is a standby, or was set so. */
export const READ_ONLY = '25006';

/**
 * The database cannot be used right now: going down or coming up, no connection, one that only reads, a statement or
 * the wait for a lock cut by its limit. Not 08P01, which is a fault in what we sent.
 */
const UNAVAILABLE_SQLSTATE = /^(08(?!P01)...|57P0.|57014|53...|25006|25P0[34]|55P03)$/;
/** No server, no way to it, or no network on this machine at all. */
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
/** What pg throws without a code. They are compared whole: pg gives nothing else to tell them by. */
const UNAVAILABLE_MESSAGES = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  // Somebody still reads while the process stops.
  'Cannot use a pool after calling end on the pool',
]);

/** What TypeORM throws when the connection went away between two statements of a transaction. */
const LOST_CONNECTION = [QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError];

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** Whether the fault is the database's absence, to be answered with `UNAVAILABLE` and a `Retry-After`. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (UNAVAILABLE_SQLSTATE.test(code) || UNAVAILABLE_SYSTEM.has(code) || isRetryable(error)) return true;
  if (LOST_CONNECTION.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGES.has(error.message);
}

/** Whether a write was refused by this unique constraint or index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

/** Whether a write was refused because what this foreign key points to is not there, or no longer. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

/** Whether a lock was waited for longer than `lock_timeout`. */
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
