import { AppError, inRequestScope, type Share } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';
import { isAbandoned } from './answer-gate';
import type { Drain } from './drain';
import { DRAINED, DRAINED_OF_UPLOAD, isUnread, leaveUnread } from './read-body';
import { loggedPath } from './request-head';
import type { AuthenticatedRequest } from './route.decorators';

/** Echoes the request id, refuses what no path of ours can hold, and writes one log line a request. */
export function addRequestHooks(server: FastifyInstance, log: Log, drain: Drain): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done(
      holdsNul(request.url)
        ? new AppError('VALIDATION_FAILED', 'the address must not contain NUL')
        : undefined,
    );
  });
  server.addHook('preClose', (done) => {
    drain.begin();
    done();
  });
  server.addHook('onSend', (request: AuthenticatedRequest, reply, payload, done) => {
    // While we stop, both sides would keep a connection open whose last request is answered now. Otherwise Fastify
    // closes it where it did not read the body to its end, and a caller that is still sending would lose the answer.
    if (drain.isUnderWay) void reply.header('connection', 'close');
    else void reply.removeHeader('connection');
    if (isUnread(request.raw)) {
      const isUpload = request.routeOptions.config.upload && request.caller;
      leaveUnread(reply, isUpload ? DRAINED_OF_UPLOAD : DRAINED);
    }
    done(null, payload);
  });
  server.addHook('onResponse', (request: AuthenticatedRequest, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    httpRequestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    const { companyId, apiKeyId } = request.caller ?? {};
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: loggedPath(request),
        status,
        durationMs,
        companyId,
        apiKeyId,
      },
      'request',
    );
    done();
  });
}

/** PostgreSQL stores no NUL, so no parameter with one names anything. */
function holdsNul(url: string): boolean {
  return url.includes('%00') || url.includes('\0');
}

/**
 * Sets the share of the database that a request uses. As the last hook before the handler, because a body is read in
 * the context of the connection, not of the request.
 */
export function scopeRequests(server: FastifyInstance): void {
  server.addHook('preValidation', (request: AuthenticatedRequest, _reply, done) => {
    inRequestScope({ share: shareOf(request), isAbandoned: () => isAbandoned(request) }, done);
  });
}

function shareOf({ caller, routeOptions }: AuthenticatedRequest): Share {
  if (caller) return caller.companyId;
  // Without a key, only a link opens such a route.
  return routeOptions.config.openedByFileLink ? 'links' : 'strangers';
}

export const httpRequestSeconds = new Histogram({
  name: 'counterfoil_http_request_seconds',
  help: 'Time to answer a request, by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
