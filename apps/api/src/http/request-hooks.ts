import { AppError, inRequestScope } from '@counterfoil/kernel';
import type { Log } from '@counterfoil/observability';
import type { FastifyInstance } from 'fastify';
import { Histogram } from 'prom-client';
import { isAbandoned } from './answer-gate';
import type { Drain } from './drain';
import { DRAINED, DRAINED_OF_UPLOAD, isUnread, leaveUnread } from './read-body';
import { loggedPath } from './request-head';
import { shareOf } from './request-share';
import type { AuthenticatedRequest } from './route.decorators';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is called at short intervals, by a load balancer or an orchestrator. */
    readonly isProbe?: boolean;
  }
}

/** Echoes the request id, refuses a URL with NUL, and writes one log line for each request. */
export function addRequestHooks(server: FastifyInstance, log: Log, drain: Drain): void {
  server.addHook('onRequest', (request, reply, done) => {
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
  server.addHook('onResponse', (request: AuthenticatedRequest, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    httpRequestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    const durationMs = Math.round(reply.elapsedTime * 10) / 10;
    const { companyId, apiKeyId } = request.caller ?? {};
    // Probes come every few seconds. One that fails is worth a line.
    const level = request.routeOptions.config.isProbe && status < 400 ? 'debug' : 'info';
    log[level](
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

/** PostgreSQL text cannot contain NUL, so no stored value matches a parameter with one. */
function holdsNul(url: string): boolean {
  return url.includes('%00') || url.includes('\0');
}

/**
 * Sets the share of the database connections that a request uses. Add this hook last: a body is read in the async
 * context of the connection, so a scope set earlier would be lost.
 */
export function scopeRequests(server: FastifyInstance): void {
  server.addHook('preValidation', (request: AuthenticatedRequest, _reply, done) => {
    inRequestScope({ share: shareOf(request), isAbandoned: () => isAbandoned(request) }, done);
  });
}

export const httpRequestSeconds = new Histogram({
  name: 'counterfoil_http_request_seconds',
  help: 'Time to answer a request, by route pattern and status',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});
