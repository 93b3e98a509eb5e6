import { inRequestScope, type Share } from '@counterfoil/kernel';
import type { FastifyInstance } from 'fastify';
import { isAbandoned } from './answer-in-time';
import type { AuthenticatedRequest } from './authenticated-request';

/**
 * Names the share of the database that a request uses, so that it uses no more than that. As the last hook before the
 * handler: what is read of a body comes in the context of the connection, not of the request.
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
