import { type AppError } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf, errorHeadersOf } from './error-body';
import { ERROR_STATUS } from './error-status';
import { toAppError } from './to-app-error';

/** Makes the one error body out of whatever was thrown, wherever. */
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
