import { FileLinks, type LinkQuery } from '@counterfoil/files';
import { Authenticate, isPublishedKey } from '@counterfoil/identity';
import { AppError, type Caller, type Permission, roleMay } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LimitRequests } from './limit-requests';
import { idIn } from './path-id';
import { assertLocal } from './request-head';
import { assertMultipart, type AuthenticatedRequest, PUBLIC } from './route.decorators';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A valid link to the file that the path names opens the route as a key does (contract §13.3). */
    readonly openedByFileLink?: boolean;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Makes the caller out of the key, and checks that its role may use the route. It needs nothing but the head of the
 * request, so it runs before the body is read: reading a body costs time and memory that only a valid key may spend.
 */
@Injectable()
export class AuthorizeRequest {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly links: FileLinks,
  ) {}

  /**
   * @param doubtedAddress the caller's address, if it has sent too many unknown keys
   * @throws AppError `UNAUTHENTICATED`, `FORBIDDEN`, `UNSUPPORTED_MEDIA_TYPE` where an upload is none, or `RATE_LIMITED`
   *   where the address is doubted
   */
  async execute(request: AuthenticatedRequest, doubtedAddress: string | null): Promise<void> {
    const { access, openedByFileLink, upload } = request.routeOptions.config;
    if (access === PUBLIC) return;
    if (openedByFileLink && this.isOpenedByLink(request)) return;
    const key = keyOf(request);
    if (isPublishedKey(key)) assertLocal(request);
    const caller = await this.authenticate.execute(key, doubtedAddress);
    request.caller = caller;
    assertMay(caller, access);
    if (upload) assertMultipart(request);
  }

  /** @throws AppError `FORBIDDEN` where a link that does not open the file comes without a key */
  private isOpenedByLink(request: AuthenticatedRequest): boolean {
    const query = request.query as LinkQuery;
    const id = idIn((request.params as { readonly id: string }).id);
    const link = id === null ? null : this.links.read(id, query);
    if (link !== null) {
      request.fileLink = link;
      return true;
    }
    if (request.headers.authorization !== undefined || query.signature === undefined) return false;
    throw new AppError(
      'FORBIDDEN',
      'the link has expired, or is not as it was given out; read the file again for another',
    );
  }
}

/** Authorizes and counts every request before anything of its body is read. */
export function authorizeBeforeBody(
  server: FastifyInstance,
  authorize: AuthorizeRequest,
  limits: LimitRequests,
): void {
  const admit = async (request: AuthenticatedRequest, reply: FastifyReply) => {
    try {
      await authorize.execute(request, limits.doubtedAddress(request));
    } catch (refusal) {
      await limits.countRefusal(request, reply, refusal);
      throw refusal;
    }
    await limits.countRequest(request, reply);
  };
  server.addHook('onRequest', (request, reply, done) => {
    admit(request, reply).then(() => done(), done);
  });
}

/** @throws AppError `FORBIDDEN` also for a route that names no permission: forgetting it must not open the route */
function assertMay({ role }: Caller, needed: Permission | undefined): void {
  if (needed !== undefined && roleMay(role, needed)) return;
  throw new AppError('FORBIDDEN', `a key of role ${role} may not do this`);
}

/** @throws AppError `UNAUTHENTICATED` without a key, or with a header that is malformed */
function keyOf(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw new AppError('UNAUTHENTICATED', 'send your API key as Authorization: Bearer <API_KEY>');
  }
  const key = BEARER.exec(header)?.[1];
  if (key === undefined)
    throw new AppError('UNAUTHENTICATED', 'the Authorization header must be Bearer <API_KEY>');
  return key;
}
