import { isDatabaseUnavailable, isStatementTimeout } from '@counterfoil/database';
import { AppError, type ErrorCode, UnavailableError } from '@counterfoil/kernel';
import { Log, type LogFields } from '@counterfoil/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NOT_JSON } from './json-body';
import { JSON_LIMITS, tooLarge } from './json-limits';
import { TOO_SLOW } from './read-body';
import { HEAD_TOO_LARGE, PATH_PARAMETER_LENGTH_MAX } from './request-head';
import { sendError } from './send-error';

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
    this.answer(error, request, reply);
  }

  protected answer(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
    sendError(error, request, reply);
  }

  private report(error: AppError, thrown: unknown, requestId: string): void {
    if (error.code === 'INTERNAL')
      this.log.error({ requestId, error: thrown }, 'a request failed with an internal error');
    if (error.code === 'UNAVAILABLE')
      this.log.warn(
        { requestId, ...refusal(error, thrown) },
        'a request was refused: a dependency is unavailable or a limit is reached',
      );
  }
}

/**
 * The logged fields of a refusal. A limit of ours has no stack to look at, and the text of a stack takes longer than
 * everything else of a refusal.
 */
function refusal(error: AppError, thrown: unknown): LogFields {
  const reason = error instanceof UnavailableError ? error.reason : null;
  return { reason, problem: error.message, ...(error.cause !== undefined && { error: thrown }) };
}

const RETRY_AFTER_SECONDS = 2;

const NO_DATABASE = ['database', 'the database is not available; try again'] as const;
const TOOK_TOO_LONG = [
  'database_slow',
  'the database took too long; narrow the request by filters or a longer search text, or try again later',
] as const;
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
    const [reason, message] = isStatementTimeout(error) ? TOOK_TOO_LONG : NO_DATABASE;
    return new UnavailableError(reason, message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
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
