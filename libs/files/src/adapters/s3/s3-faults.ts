import { AppError, UnavailableError } from '@counterfoil/kernel';

const RETRY_AFTER_SECONDS = 5;
/** Temporary errors that S3 reports with a 4xx status, as if the request were wrong. */
const PASSING_STATUSES = [408, 429];
const PASSING_CODES = /^(RequestTimeout|RequestTimeTooSkewed|SlowDown|Thrott|TooManyRequests)/;

/** Converts a temporary error of the store to `UNAVAILABLE`. Returns other errors unchanged. */
export function faultOf(error: unknown): unknown {
  if (error instanceof AppError || isRefusal(error)) return error;
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error };
  return new UnavailableError('storage', 'the file storage is not available; try again', options);
}

/** Whether the store has refused the request for good, so that another attempt would fail, too. */
export function isRefusal(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  if (PASSING_STATUSES.includes(status) || PASSING_CODES.test(name)) return false;
  return status >= 400 && status < 500;
}

/** Whether the store has no object under the key. A missing bucket is a fault: it says nothing about an object. */
export function isMissingObject(error: unknown): boolean {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket';
}
