import { inTraceScope } from '@counterfoil/kernel';
import { NO_SPAN, type Span, startSpan, type TraceHeaders } from '@counterfoil/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HUNG_UP } from './request-hooks';
import type { AuthenticatedRequest } from './route.decorators';

/**
 * Traces every request but probes, from its head to the end of the answer. It continues the trace of a valid
 * `traceparent`. Add this hook after the one that records requests and before all others.
 */
export function traceRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request: AuthenticatedRequest, reply, done) => {
    // The not-found handler of Fastify runs the hooks a second time.
    if (request.span || request.routeOptions.config.isProbe) return done();
    const span = spanOf(request);
    request.span = span;
    reply.raw.once('close', () => end(span, request, reply));
    inTraceScope(span, done);
  });
}

/** Continues the traces after the body was read, in the async context of the connection. Add this hook last. */
export function continueTraces(server: FastifyInstance): void {
  server.addHook('preValidation', ({ span }: AuthenticatedRequest, _reply, done) => {
    inTraceScope(span ?? NO_SPAN, done);
  });
}

function spanOf({ method, id, routeOptions, headers }: FastifyRequest): Span {
  const route = routeOptions.url;
  return startSpan(
    {
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route, 'counterfoil.request_id': id },
    },
    headersOfTrace(headers),
  );
}

function headersOfTrace({ traceparent, tracestate }: FastifyRequest['headers']): TraceHeaders | null {
  if (typeof traceparent !== 'string') return null;
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
}

function end(span: Span, { caller, errorCode }: AuthenticatedRequest, reply: FastifyReply): void {
  const status = reply.raw.headersSent ? reply.statusCode : HUNG_UP;
  span.set({
    'http.response.status_code': status,
    'counterfoil.company_id': caller?.companyId,
    'counterfoil.api_key_id': caller?.apiKeyId,
    'counterfoil.error_code': errorCode,
  });
  if (status >= 500) span.fail(errorCode ?? String(status));
  span.end();
}
