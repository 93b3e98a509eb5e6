import { type AppError, type ErrorCode, UnavailableError } from '@counterfoil/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { ERROR_STATUS, errorBodyOf, errorHeadersOf } from './error-body';

const unavailableTotal = new Counter({
  name: 'counterfoil_unavailable_total',
  help: 'Requests answered 503, by their reason',
  labelNames: ['reason'] as const,
});

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that the request was answered with. */
    errorCode?: ErrorCode;
  }
}

/** Sends the error body of a request (contract §3.1). */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  void beginError(error, request, reply).send(errorBodyOf(error, request.id));
}

/** Sets the status and the headers of an error. The body is left to the caller. */
export function beginError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof UnavailableError) unavailableTotal.inc({ reason: error.reason });
  request.errorCode = error.code;
  return reply
    .status(ERROR_STATUS[error.code])
    .headers(errorHeadersOf(error))
    .header('x-request-id', request.id);
}
