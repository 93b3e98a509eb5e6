import { inRequestScope } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { isAbandoned } from './answer-in-time';
import type { AuthenticatedRequest } from './authenticated-request';

/**
 * Names the company for which a request is served, so that it uses no more than its share of the database. As the last
 * hook before the handler: what is read of a body comes in the context of the connection, not of the request.
 */
export function scopeRequests(server: FastifyInstance): void {
  server.addHook('preValidation', (request: AuthenticatedRequest, _reply, done) => {
    const companyId = request.caller?.companyId ?? null;
    inRequestScope({ companyId, isAbandoned: () => isAbandoned(request) }, done);
  });
}
