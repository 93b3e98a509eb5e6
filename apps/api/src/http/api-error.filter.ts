import { isDatabaseUnavailable, isStatementTimeout } from '@counterfoil/database';
import { AppError, type ErrorCode } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf, errorHeadersOf } from './error-body';
import { NOT_JSON } from './json-body';
import { JSON_LIMITS, tooLarge } from './json-limits';
import { TOO_SLOW } from './read-body';

/** Turns any error into the one error body. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = toAppError(thrown, request.routeOptions.bodyLimit);
    this.report(error, thrown, request.id);
    if (reply.sent) return;
    void reply
      .status(ERROR_STATUS[error.code])
      .headers(errorHeadersOf(error))
      .send(errorBodyOf(error, request.id));
  }

  private report(error: AppError, thrown: unknown, requestId: string): void {
    if (error.code === 'INTERNAL')
      this.log.error({ requestId, error: thrown }, 'a request failed by a fault of ours');
    if (error.code === 'UNAVAILABLE')
      this.log.warn({ requestId, error: thrown }, 'a request was refused: what it needs is away or too busy');
  }
}

const RETRY_AFTER_SECONDS = 2;

const NO_DATABASE = 'the database is not available; try again';
const TOOK_TOO_LONG =
  'the database took too long; ask for less, by filters or a longer search term, or try again later';
const MALFORMED = ['VALIDATION_FAILED', 'the request is malformed'] as const;
const NOTHING_HERE = ['NOT_FOUND', 'there is nothing here'] as const;

/** The error code and message for each status of the framework, whose own messages are not passed on. */
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

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : 500;
}

/** The HTTP status of each error code (contract §3.2). */
export const ERROR_STATUS: Record<ErrorCode, number> = {
  VALIDATION_FAILED: 400,
  INVALID_PRICELIST: 400,
  MISSING_URL: 400,
  INVALID_IDEMPOTENCY_KEY: 400,
  INVALID_CURSOR: 400,
  INVALID_UPDATED_SINCE: 400,
  UNSUPPORTED_FILE_TYPE_FOR_EXTRACTION: 400,
  URL_NOT_ALLOWED: 400,
  UNKNOWN_REFERENCE: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  IDEMPOTENCY_KEY_REUSED: 409,
  REQUEST_IN_PROGRESS: 409,
  INSUFFICIENT_STOCK: 409,
  INVALID_STATE: 409,
  LIMIT_REACHED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXTRACTION_FAILED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  FETCH_FAILED: 502,
  UNAVAILABLE: 503,
  EXTRACTION_TIMEOUT: 504,
};
