import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@counterfoil/kernel';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf } from './error-body';
import { ERROR_STATUS } from './error-status';
import { JSON_BYTES_MAX } from './json-body';
import { KnownPaths } from './known-paths';
import { requestIdOf } from './request-id';
import { toAppError } from './to-app-error';

/** The whole of a request must arrive in this time, so that a slow sender holds no connection for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
const PATH_PARAMETER_LENGTH_MAX = 256;

/** Fastify, set up so that the faults it answers by itself get the one error body too (decisions §2). */
export class ApiHttpAdapter extends FastifyAdapter {
  private readonly paths = new KnownPaths();

  constructor() {
    super({
      bodyLimit: JSON_BYTES_MAX,
      requestTimeout: REQUEST_TIMEOUT_MS,
      routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
      genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
      // While it closes, requests on open connections are served; Fastify would refuse them with a body of its own.
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      frameworkErrors: (fault: Error, request: FastifyRequest, reply: FastifyReply) => {
        answer(toAppError(fault), request, reply.header('x-request-id', request.id));
      },
      clientErrorHandler: answerUnparsable,
    });
    this.paths.watch(this.getInstance<FastifyInstance>());
  }

  /** The framework's own answer to a path without a route does not know of `405` (decisions §2). */
  override setNotFoundHandler() {
    return this.getInstance<FastifyInstance>().setNotFoundHandler((request, reply) => {
      const { error, allow } = this.paths.refuse(request);
      answer(error, request, allow === null ? reply : reply.header('allow', allow));
    });
  }
}

function answer(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  void reply.status(ERROR_STATUS[error.code]).send(errorBodyOf(error, request.id));
}

const PARSER_FAULTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** Answers what never became a request, on the bare socket. */
function answerUnparsable(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf({});
  const message = PARSER_FAULTS[fault.code ?? ''] ?? 'the request is not valid HTTP';
  const body = JSON.stringify(errorBodyOf(new AppError('VALIDATION_FAILED', message), requestId));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
