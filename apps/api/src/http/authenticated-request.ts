import type { FileLink } from '@counterfoil/files';
import type { Caller } from '@counterfoil/kernel';
import type { FastifyRequest } from 'fastify';

/** A request whose key has been looked up, unless its route is public or a link opened it. */
export interface AuthenticatedRequest extends FastifyRequest {
  caller?: Caller;
  fileLink?: FileLink;
}
