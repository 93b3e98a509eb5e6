import { isDatabaseUnavailable, isStatementTimeout } from '@counterfoil/database';
import { AppError, type ErrorCode } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf, errorHeadersOf } from './error-body';
import { NOT_JSON } from './json-body';
import { JSON_LIMITS, tooLarge } from './json-limits';
import { TOO_SLOW } from './read-body';
import { HEAD_TOO_LARGE, PATH_PARAMETER_LENGTH_MAX } from './request-head';

/** Answers any error with the API's error body (contract §3.1). */
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
      this.log.error({ requestId, error: thrown }, 'a request failed with an internal error');
    if (error.code === 'UNAVAILABLE')
      this.log.warn(
        { requestId, error: thrown },
        'a request was refused: a dependency is unavailable or a limit is reached',
      );
  }
}

const RETRY_AFTER_SECONDS = 2;

const NO_DATABASE = 'the database is not available; try again';
const TOOK_TOO_LONG =
  'the database took too long; narrow the request by filters or a longer search text, or try again later';
const MALFORMED = ['VALIDATION_FAILED', 'the request is not valid'] as const;
const NOTHING_HERE = ['NOT_FOUND', 'nothing exists at this path'] as const;

/** The error code and message for each status of the framework, whose own messages are not passed on. */
const BY_STATUS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  // A path that leads out of the folder of the docs page.
  403: NOTHING_HERE,
  404: NOTHING_HERE,
  408: ['VALIDATION_FAILED', TOO_SLOW],
  414: [
    'VALIDATION_FAILED',
    `a parameter in the path must be at most ${PATH_PARAMETER_LENGTH_MAX} characters`,
  ],
  415: ['UNSUPPORTED_MEDIA_TYPE', NOT_JSON],
  431: ['VALIDATION_FAILED', HEAD_TOO_LARGE],
};

/**
 * Converts any thrown value to an AppError. An AppError stays as it is, and an error of the framework is converted by
 * its status. An unavailable database becomes `UNAVAILABLE`. Everything else becomes `INTERNAL`, and its message does
 * not reveal the cause.
 *
 * @param bodyBytesMax the body limit of the route
 */
export function toAppError(error: unknown, bodyBytesMax = JSON_LIMITS.bytesMax): AppError {
  if (error instanceof AppError) return error;
  // Check the status first: a caller that hangs up causes the same system errors as a database that does.
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
  return new AppError('INTERNAL', 'an internal error occurred; report the requestId to the operator', {
    cause: error,
  });
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
