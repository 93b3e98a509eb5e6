import {
  type Acting,
  actingAs,
  AppError,
  type Caller,
  type Clock,
  inRequestScope,
  inTraceScope,
} from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import type { AnsweredRequest, RequestLog } from '@counterfoil/request-log';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Histogram } from 'prom-client';
import { isAbandoned } from './answer-deadlines';
import type { Drain } from './drain';
import { DRAINED, DRAINED_OF_UPLOAD, isUnread, leaveUnread } from './read-body';
import { describedPath, loggedIds, loggedPath } from './request-head';
import { shareOf } from './request-share';
import type { AuthenticatedRequest } from './route.decorators';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is called at short intervals, by a load balancer or an orchestrator. */
    readonly isProbe?: boolean;
  }
}

/** The status that is recorded if the caller hung up before the answer began, as nginx does. It is never sent. */
export const HUNG_UP = 499;

/** The two places where each request is recorded. */
export interface RequestRecords {
  /** One line for each request. */
  readonly log: Log;
  /** One row for each request with a key. */
  readonly requestLog: RequestLog;
  readonly clock: Clock;
}

/** Echoes the request id, refuses a URL with NUL, and records each request. */
export function addRequestHooks(server: FastifyInstance, records: RequestRecords, drain: Drain): void {
  server.addHook('onClose', () => records.requestLog.close());
  server.addHook('onRequest', (request: WatchedRequest, reply, done) => {
    // A connection that has ended has no address any more.
    request.address = request.ip;
    recordIfAborted(request, reply, records);
    void reply.header('x-request-id', request.id);
    done(
      holdsNul(request.url)
        ? new AppError('VALIDATION_FAILED', 'the URL must not contain NUL (%00)')
        : undefined,
    );
  });
  server.addHook('preClose', (done) => {
    drain.begin();
    done();
  });
  server.addHook('onSend', (request: AuthenticatedRequest, reply, payload, done) => {
    // During shutdown, close the connection: otherwise both sides would keep it open. At other times, keep it:
    // Fastify closes it after a body that was not read to its end, and a caller still sending would lose the answer.
    if (drain.isUnderWay) void reply.header('connection', 'close');
    else void reply.removeHeader('connection');
    if (isUnread(request.raw)) {
      const isUpload = request.routeOptions.config.upload && request.caller;
      leaveUnread(reply, isUpload ? DRAINED_OF_UPLOAD : DRAINED);
    }
    done(null, payload);
  });
  server.addHook('onResponse', (request: WatchedRequest, reply, done) => {
    request.isAnswered = true;
    recordRequest(request, reply, records);
    done();
  });
}

interface WatchedRequest extends AuthenticatedRequest {
  /** The address of the caller, as `TRUST_PROXY` says. */
  address?: string;
  isWatched?: boolean;
  isAnswered?: boolean;
}

/** Fastify calls `onResponse` only if the whole answer was sent. This records a caller that hung up before. */
function recordIfAborted(request: WatchedRequest, reply: FastifyReply, records: RequestRecords): void {
  // The not-found handler of Fastify runs the hooks a second time.
  if (request.isWatched) return;
  request.isWatched = true;
  reply.raw.once('close', () => {
    if (!request.isAnswered) recordRequest(request, reply, records);
  });
}

/** Observes the duration of a request, and records it. */
function recordRequest(
  request: WatchedRequest,
  reply: FastifyReply,
  { log, requestLog, clock }: RequestRecords,
): void {
  const { method } = request;
  const outcome = outcomeOf(request, reply);
  const route = request.routeOptions.url ?? 'unknown';
  httpRequestSeconds.observe({ method, route, status: outcome.status }, reply.elapsedTime / 1000);
  const line = () => writeLine(request, outcome, log);
  // This runs in the async context of the connection.
  if (request.span) inTraceScope(request.span, line);
  else line();
  if (request.caller) requestLog.note(answeredRequest(request, request.caller, outcome, clock.now()));
}

interface Outcome {
  readonly status: number;
  readonly durationMs: number;
}

function outcomeOf({ isAnswered }: WatchedRequest, reply: FastifyReply): Outcome {
  const status = isAnswered || reply.raw.headersSent ? reply.statusCode : HUNG_UP;
  return { status, durationMs: Math.round(reply.elapsedTime * 10) / 10 };
}

function writeLine(request: WatchedRequest, { status, durationMs }: Outcome, log: Log): void {
  const { method, refusedKey, isAnswered } = request;
  const { companyId, apiKeyId } = request.caller ?? refusedKey?.key ?? {};
  // Probes come every few seconds. One that fails is worth a line.
  const level = request.routeOptions.config.isProbe && status < 400 ? 'debug' : 'info';
  log[level](
    {
      requestId: request.id,
      method,
      path: loggedPath(request),
      address: request.address ?? request.ip,
      status,
      durationMs,
      companyId,
      apiKeyId,
      ...(request.caller?.sessionId !== undefined && { sessionId: request.caller.sessionId }),
      ...(refusedKey && { refusal: refusedKey.reason }),
      ...(!isAnswered && { aborted: true }),
    },
    'request',
  );
}

function answeredRequest(
  request: WatchedRequest,
  { companyId, apiKeyId }: Caller,
  { status, durationMs }: Outcome,
  now: Date,
): AnsweredRequest {
  return {
    ...{ companyId, apiKeyId, status, durationMs },
    at: new Date(now.getTime() - durationMs),
    method: request.method,
    route: describedPath(request.routeOptions.url ?? 'unknown'),
    ids: loggedIds(request),
    errorCode: request.errorCode ?? null,
    requestId: request.id,
  };
}

/** PostgreSQL text cannot contain NUL, so no stored value matches a parameter with one. */
function holdsNul(url: string): boolean {
  return url.includes('%00') || url.includes('\0');
}

/**
 * Sets the share of the database connections that a request uses, and the actor of its changes. Add this hook last: a body is read in the async
 * context of the connection, so a scope set earlier would be lost.
 */
export function scopeRequests(server: FastifyInstance): void {
  server.addHook('preValidation', (request: AuthenticatedRequest, _reply, done) => {
    const scope = { share: shareOf(request), isAbandoned: () => isAbandoned(request) };
    inRequestScope(scope, () => actingAs(actingOf(request), done));
  });
}

function actingOf({ caller, id: requestId }: AuthenticatedRequest): Acting {
  if (!caller) return { actor: 'public', requestId };
  const { apiKeyId, sessionId, role } = caller;
  const actor =
    sessionId === undefined
      ? (`api-key:${apiKeyId}` as const)
      : (`api-key:${apiKeyId}/session:${sessionId}` as const);
  return { actor, role, requestId };
}

export const httpRequestSeconds = new Histogram({
  name: 'counterfoil_http_request_seconds',
  help: 'Time to answer a request, by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
