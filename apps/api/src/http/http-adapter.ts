import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@counterfoil/kernel';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBodyOf } from './error-body';
import { ERROR_STATUS } from './error-status';
import { JSON_LIMITS } from './json-body';
import { KnownPaths } from './known-paths';
import { requestIdOf } from './request-id';
import { toAppError } from './to-app-error';

/** The whole of a request must arrive in this time, so that a slow sender holds no connection for ever. */
const REQUEST_TIMEOUT_MS = 60_000;
const PATH_PARAMETER_LENGTH_MAX = 256;
/** A caller that is still sending gets this long to come to its end and read the answer. */
const LINGER_MS = 2_000;

/** Fastify, set up so that the faults it answers by itself get the one error body too (decisions §2). */
export class ApiHttpAdapter extends FastifyAdapter {
  private readonly paths = new KnownPaths();

  constructor() {
    super({
      bodyLimit: JSON_LIMITS.bytesMax,
      requestTimeout: REQUEST_TIMEOUT_MS,
      routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
      genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
      // While it closes, requests on open connections are served; Fastify would refuse them with a body of its own.
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      // Asked for in the hook below: Node's own refusal has no body.
      http: { requireHostHeader: false },
      frameworkErrors: (fault: Error, request: FastifyRequest, reply: FastifyReply) => {
        answer(toAppError(fault), request, reply);
      },
      clientErrorHandler: answerUnparsable,
    });
    const server = this.getInstance<FastifyInstance>();
    this.paths.watch(server);
    this.refuseEarly(server);
    answerWhatNodeWouldNot(server);
  }

  /** An answer of `null` is these four bytes (decisions §1): the framework would send nothing. */
  override reply(reply: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (body !== null) return super.reply(reply, body, status);
    if (status) void reply.status(status);
    return reply.type('application/json; charset=utf-8').send('null');
  }

  /** Refuses what no route takes before its body is read: the framework's own answer does not know of `405`. */
  private refuseEarly(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
        return answer(new AppError('VALIDATION_FAILED', 'the Host header is missing'), request, reply);
      }
      if (!request.is404) return done();
      const { error, allow } = this.paths.refuse(request);
      answer(error, request, allow === null ? reply : reply.header('allow', allow));
    });
  }
}

function answer(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .status(ERROR_STATUS[error.code])
    .header('x-request-id', request.id)
    .send(errorBodyOf(error, request.id));
}

/** Node drops a CONNECT without a word, and answers an unknown `Expect` without a body. */
function answerWhatNodeWouldNot({ server }: FastifyInstance): void {
  server.on('connect', (_, socket) => answerOnSocket(socket as Socket, 'this server is no proxy'));
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
}

const PARSER_FAULTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** Answers what never became a request, on the bare socket. Called again for what comes after it. */
function answerUnparsable(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writableEnded) return;
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(socket, PARSER_FAULTS[fault.code ?? ''] ?? 'the request is not valid HTTP');
}

function answerOnSocket(socket: Socket, message: string): void {
  const requestId = requestIdOf({});
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
  // Closed at once, the connection could take the answer with it.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
