import { AppError } from '@counterfoil/kernel';

const RETRY_AFTER_SECONDS = 5;
/** A store that is too busy, or was too slow, says so as if its caller were at fault. */
const PASSING_STATUSES = [408, 429];
const PASSING_CODES = /^(RequestTimeout|RequestTimeTooSkewed|SlowDown|Thrott|TooManyRequests)/;

/** An unavailable store is a temporary error: the caller retries. */
export function faultOf(error: unknown): unknown {
  if (error instanceof AppError || isRefusal(error)) return error;
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error };
  return new AppError('UNAVAILABLE', 'the file storage is not available; try again', options);
}

/** Whether the store has understood, and will say the same the next time. */
export function isRefusal(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  if (PASSING_STATUSES.includes(status) || PASSING_CODES.test(name)) return false;
  return status >= 400 && status < 500;
}
