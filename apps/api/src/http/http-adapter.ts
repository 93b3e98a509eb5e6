import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { TrustedProxies } from '@counterfoil/config';
import { AppError } from '@counterfoil/kernel';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, toAppError } from './api-error.filter';
import { boundConnections, Connections } from './connections';
import { errorBodyOf, errorHeadersOf } from './error-body';
import { JSON_LIMITS } from './json-limits';
import { AllowedMethods } from './method-not-allowed';
import { isUnread, leaveUnread, TOO_SLOW } from './read-body';
import {
  hasTooManyParameters,
  headProblem,
  readableUrl,
  requestIdOf,
  TOO_MANY_PARAMETERS,
} from './request-head';
import { addSecurityHeaders, securityHeaders } from './security-headers';

/** For a new connection, and for the next request of a kept one: a head fits into a packet or two. */
const HEAD_TIMEOUT_MS = 10_000;
/** How long Node may take to notice. */
const CHECK_INTERVAL_MS = 2_000;
/** The time limit of a whole request, including an upload at its minimum rate. A JSON body has a limit of its own. */
const REQUEST_TIMEOUT_MS = 30 * 60_000;
const PATH_PARAMETER_LENGTH_MAX = 256;
/** A caller that is still sending gets this long to come to its end and read the answer. */
const LINGER_MS = 2_000;

export interface AdapterOptions {
  /** Connections of the process. */
  readonly connectionsMax: number;
  /** Where callers reach the API. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
}

const DEFAULTS: AdapterOptions = {
  connectionsMax: 10_000,
  publicUrl: 'http://127.0.0.1',
  trustedProxies: null,
};

/** Fastify, set up so that the faults it answers by itself get the one error body too (contract §3.1). */
export class ApiHttpAdapter extends FastifyAdapter {
  readonly connections: Connections;
  private readonly allowedMethods = new AllowedMethods();
  /** Connections whose last answer is under way: later faults of the parser get no answer. */
  private readonly refused = new WeakSet<Socket>();

  constructor({ connectionsMax, publicUrl, trustedProxies }: AdapterOptions = DEFAULTS) {
    const headers = securityHeaders(publicUrl);
    super({
      // Forwarding headers of a caller count only if a trusted proxy has added to them.
      ...(trustedProxies !== null && { trustProxy: fastifyTrust(trustedProxies) }),
      bodyLimit: JSON_LIMITS.bytesMax,
      requestTimeout: REQUEST_TIMEOUT_MS,
      routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
      rewriteUrl: ({ url = '/' }: IncomingMessage) => readableUrl(url),
      genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
      // While closing, requests on open connections are served. Fastify would refuse them with a body of its own.
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      http: {
        // Asked for in the hook below: Node's own refusal has no body.
        requireHostHeader: false,
        headersTimeout: HEAD_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
      frameworkErrors: (fault: Error, request: FastifyRequest, reply: FastifyReply) => {
        if (isUnread(request.raw)) leaveUnread(reply);
        answer(toAppError(fault), request, reply.headers(headers));
      },
      clientErrorHandler: (fault: NodeJS.ErrnoException, socket: Socket) => {
        if (!this.refused.has(socket)) answerUnparsable(fault, socket, headers);
      },
    });
    const server = this.getInstance<FastifyInstance>();
    this.connections = new Connections(connectionsMax);
    this.allowedMethods.watch(server);
    addSecurityHeaders(server, headers);
    this.refuseEarly(server);
    boundConnections(server, this.connections);
    answerWhatNodeWouldNot(server, headers);
  }

  /** An answer of `null` is these four bytes (contract §1.2): the framework would send nothing. */
  override reply(reply: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (reply.sent) return dropped(reply, body);
    if (body !== null) return super.reply(reply, body, status);
    if (status) void reply.status(status);
    return reply.type('application/json; charset=utf-8').send('null');
  }

  /** Refuses what no route takes before its body is read: the framework's own answer does not know of `405`. */
  private refuseEarly(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      const problem = this.connections.begin(request.raw.socket) ?? headProblem(request.raw);
      if (problem) {
        // Where we and a proxy may read the same bytes otherwise, nothing that follows them is to be trusted.
        reply.raw.shouldKeepAlive = false;
        this.refused.add(request.raw.socket);
        return answer(problem, request, reply);
      }
      if (hasTooManyParameters(request.originalUrl)) return answer(TOO_MANY_PARAMETERS, request, reply);
      if (!request.is404) return done();
      const { error, allow } = this.allowedMethods.refuse(request);
      answer(error, request, allow === null ? reply : reply.header('allow', allow));
    });
  }
}

/** Another answer was given meanwhile, since this one took too long. */
function dropped(reply: FastifyReply, body: unknown): FastifyReply {
  if (body instanceof Readable) body.destroy();
  return reply;
}

function fastifyTrust(proxies: NonNullable<TrustedProxies>): number | string[] {
  return typeof proxies === 'number' ? proxies : [...proxies];
}

function answer(error: AppError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .status(ERROR_STATUS[error.code])
    .headers(errorHeadersOf(error))
    .header('x-request-id', request.id)
    .send(errorBodyOf(error, request.id));
}

type Headers = Readonly<Record<string, string>>;

/** Node drops a CONNECT without a word, and answers an `Expect` before anything of the request was looked at. */
function answerWhatNodeWouldNot({ server }: FastifyInstance, headers: Headers): void {
  server.on('connect', (_, socket) => answerOnSocket(socket as Socket, 'this server is no proxy', headers));
  for (const expecting of ['checkContinue', 'checkExpectation'] as const)
    server.on(expecting, (request, response) => void server.emit('request', request, response));
}

const PARSER_FAULTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** Answers what never became a request, on the bare socket. Called again for what comes after it. */
function answerUnparsable(fault: NodeJS.ErrnoException, socket: Socket, headers: Headers): void {
  if (socket.writableEnded) return;
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(socket, PARSER_FAULTS[fault.code ?? ''] ?? 'the request is not valid HTTP', headers);
}

function answerOnSocket(socket: Socket, message: string, headers: Headers): void {
  const requestId = requestIdOf({});
  const body = JSON.stringify(errorBodyOf(new AppError('VALIDATION_FAILED', message), requestId));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Closed at once, the connection could take the answer with it.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
