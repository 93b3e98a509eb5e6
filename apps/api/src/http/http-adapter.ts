import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { TrustedProxies } from '@counterfoil/config';
import { AppError } from '@counterfoil/kernel';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toAppError } from './api-error.filter';
import { boundConnections, Connections } from './connections';
import { Cors } from './cors';
import { errorBodyOf } from './error-body';
import { JSON_LIMITS } from './json-limits';
import { AllowedMethods } from './method-not-allowed';
import { announcedBytes, isUnread, leaveUnread, TOO_SLOW } from './read-body';
import {
  hasTooManyParameters,
  HEAD_TOO_LARGE,
  headProblem,
  PATH_PARAMETER_LENGTH_MAX,
  readableUrl,
  requestIdOf,
  TOO_MANY_PARAMETERS,
} from './request-head';
import { addSecurityHeaders, securityHeaders } from './security-headers';
import { sendError } from './send-error';

/** Time limit for a request head, on a new or a kept-alive connection. A head fits into one or two packets. */
const HEAD_TIMEOUT_MS = 10_000;
/** The interval at which Node checks the time limits, and so the delay with which it enforces them. */
const CHECK_INTERVAL_MS = 2_000;
/** The time limit of a whole request, including an upload at its minimum rate. A JSON body has a limit of its own. */
const REQUEST_TIMEOUT_MS = 30 * 60_000;
/** Time for a caller that is still sending to read the answer before the socket is destroyed. */
const LINGER_MS = 2_000;

export interface AdapterOptions {
  /** The maximum of open connections of the process. */
  readonly connectionsMax: number;
  /** The base URL at which callers reach the API. */
  readonly publicUrl: string;
  readonly trustedProxies: TrustedProxies;
  /** The origins whose scripts may read answers; `*` for any. */
  readonly corsOrigins: readonly string[];
}

const DEFAULTS: AdapterOptions = {
  connectionsMax: 10_000,
  publicUrl: 'http://127.0.0.1',
  trustedProxies: null,
  corsOrigins: [],
};

/** Fastify, configured so that the errors it answers itself have the API's error body, too (contract §3.1). */
export class ApiHttpAdapter extends FastifyAdapter {
  readonly connections: Connections;
  private readonly allowedMethods = new AllowedMethods();
  /** Connections that close after a refusal. Later parser errors on them get no answer. */
  private readonly refused = new WeakSet<Socket>();

  constructor({ connectionsMax, publicUrl, trustedProxies, corsOrigins }: AdapterOptions = DEFAULTS) {
    const headers = securityHeaders(publicUrl);
    super({
      // Forwarding headers are used only if a trusted proxy has added to them.
      ...(trustedProxies !== null && { trustProxy: fastifyTrust(trustedProxies) }),
      bodyLimit: JSON_LIMITS.bytesMax,
      requestTimeout: REQUEST_TIMEOUT_MS,
      routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
      rewriteUrl: ({ url = '/' }: IncomingMessage) => readableUrl(url),
      genReqId: (request: IncomingMessage) => requestIdOf(request.headers),
      // Serve requests on open connections during shutdown. Fastify would refuse them with its own body.
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      http: {
        // `headProblem` checks the Host header, because Node's own refusal has no body.
        requireHostHeader: false,
        headersTimeout: HEAD_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_INTERVAL_MS,
      },
      frameworkErrors: (fault: Error, request: FastifyRequest, reply: FastifyReply) => {
        if (isUnread(request.raw)) leaveUnread(reply);
        sendError(toAppError(fault), request, reply.headers(headers));
      },
      clientErrorHandler: (fault: NodeJS.ErrnoException, socket: Socket) => {
        if (!this.refused.has(socket)) answerUnparsable(fault, socket, headers);
      },
    });
    const server = this.getInstance<FastifyInstance>();
    this.connections = new Connections(connectionsMax);
    this.allowedMethods.watch(server);
    addSecurityHeaders(server, headers);
    this.refuseEarly(server, new Cors(corsOrigins));
    boundConnections(server, this.connections);
    answerWhatNodeWouldNot(server, headers);
  }

  /** Sends an answer of `null` as the JSON text `null` (contract §1.2). The framework would send an empty body. */
  override reply(reply: FastifyReply, body: unknown, status?: number): FastifyReply {
    if (reply.sent) return dropped(reply, body);
    if (body !== null) return super.reply(reply, body, status);
    if (status) void reply.status(status);
    return reply.type('application/json; charset=utf-8').send('null');
  }

  /**
   * Refuses a request without a route before its body is read, with 405 or 404. Fastify has no 405. A preflight request
   * has no route either.
   */
  private refuseEarly(server: FastifyInstance, cors: Cors): void {
    server.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      // Not even answered: the connection closes after the refusal before it.
      if (this.refused.has(socket)) return;
      cors.allow(request, reply);
      const bodyBytes = announcedBytes(request.raw.headers);
      const problem = this.connections.begin(socket, bodyBytes) ?? headProblem(request.raw);
      if (problem) {
        // A proxy may parse these bytes differently (request smuggling), so do not read what follows them.
        reply.raw.shouldKeepAlive = false;
        this.refused.add(socket);
        return sendError(problem, request, reply);
      }
      const start = () => {
        if (hasTooManyParameters(request.originalUrl)) return sendError(TOO_MANY_PARAMETERS, request, reply);
        if (request.is404) this.answerUnrouted(request, reply, cors);
        else done();
      };
      this.connections.startInOrder(socket, start, bodyBytes);
    });
  }

  private answerUnrouted(request: FastifyRequest, reply: FastifyReply, cors: Cors): void {
    const methods = this.allowedMethods.of(request);
    if (methods.length > 0 && cors.answerPreflight(request, reply, methods)) return;
    const { error, allow } = this.allowedMethods.refuse(request);
    sendError(error, request, allow === null ? reply : reply.header('allow', allow));
  }
}

/** Discards an answer that came after the time limit, when another one was already sent. */
function dropped(reply: FastifyReply, body: unknown): FastifyReply {
  if (body instanceof Readable) body.destroy();
  return reply;
}

function fastifyTrust(proxies: NonNullable<TrustedProxies>): number | string[] {
  return typeof proxies === 'number' ? proxies : [...proxies];
}

type Headers = Readonly<Record<string, string>>;

const NO_PROXY = 'this server is not a proxy and does not accept CONNECT';

/**
 * Answers CONNECT, for which Node would close the connection without an answer, and handles a request with `Expect`
 * like any other: Node would answer it before any of our checks.
 */
function answerWhatNodeWouldNot({ server }: FastifyInstance, headers: Headers): void {
  server.on('connect', (_, socket) => answerOnSocket(socket as Socket, NO_PROXY, headers));
  for (const expecting of ['checkContinue', 'checkExpectation'] as const)
    server.on(expecting, (request, response) => void server.emit('request', request, response));
}

const PARSER_FAULTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: HEAD_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** Answers bytes that are not a valid request. Node calls this again for bytes that follow them. */
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
  // Destroying the socket now could discard the answer before the caller has read it.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
