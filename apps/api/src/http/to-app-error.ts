import { isDatabaseUnavailable, isStatementTimeout } from '@counterfoil/database';
import { AppError, type ErrorCode } from '@counterfoil/kernel';
import { HttpException } from '@nestjs/common';
import { TOO_SLOW } from './body-faults';
import { NOT_JSON } from './json-body';
import { JSON_LIMITS } from './json-limits';

const RETRY_AFTER_SECONDS = 2;

const NO_DATABASE = 'the database is not available; try again';
const TOOK_TOO_LONG =
  'the database took too long; ask for less, by filters or a longer search term, or try again later';
const MALFORMED = ['VALIDATION_FAILED', 'the request is malformed'] as const;
const NOTHING_HERE = ['NOT_FOUND', 'there is nothing here'] as const;

/** What the framework's own statuses mean in our terms. Its messages are not passed on: they are not ours to word. */
const BY_STATUS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  // A path that would lead out of the docs page's folder.
  403: NOTHING_HERE,
  404: NOTHING_HERE,
  408: ['VALIDATION_FAILED', TOO_SLOW],
  414: ['VALIDATION_FAILED', 'the address is too long'],
  415: ['UNSUPPORTED_MEDIA_TYPE', NOT_JSON],
  431: ['VALIDATION_FAILED', 'the headers are too large'],
};

/**
 * Reads any fault in our terms: our own errors as they are, the framework's by their status, the database's absence
 * as `UNAVAILABLE`, and everything else as a fault of ours that says nothing about its cause.
 *
 * @param bodyBytesMax what the route takes
 */
export function toAppError(error: unknown, bodyBytesMax = JSON_LIMITS.bytesMax): AppError {
  if (error instanceof AppError) return error;
  // First, since a caller that hangs up makes the same system errors as a database that does.
  const status = statusOf(error);
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', tooLarge(bodyBytesMax), { cause: error });
  if (status >= 400 && status < 500) {
    const [code, message] = BY_STATUS[status] ?? MALFORMED;
    return new AppError(code, message, { cause: error });
  }
  if (isDatabaseUnavailable(error)) {
    const options = { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error };
    return new AppError('UNAVAILABLE', isStatementTimeout(error) ? TOOK_TOO_LONG : NO_DATABASE, options);
  }
  return new AppError('INTERNAL', 'something went wrong on our side', { cause: error });
}

/** What is told of a body that is larger than its route takes. */
export function tooLarge(bodyBytesMax: number): string {
  const kib = bodyBytesMax / 1024;
  return `the body is larger than ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}`;
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}
