import { Config } from '@counterfoil/config';
import { FileLinks, type LinkQuery } from '@counterfoil/files';
import { Authenticate, isPublishedKey, RefusedKey, type SessionToken } from '@counterfoil/identity';
import { AppError, type Caller, type Permission, roleMay, ROLES } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LimitRequests } from './limit-requests';
import { idIn } from './path-id';
import { assertLocal } from './request-head';
import { assertMultipart, type AuthenticatedRequest, PUBLIC } from './route.decorators';
import { namesSession, sessionOf } from './session-cookie';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts a valid link to the file in its path in place of a key (contract §13.3). */
    readonly openedByFileLink?: boolean;
    /** The route ends the session in its path, and does nothing else. */
    readonly endsSession?: boolean;
  }
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Finds the caller by the key or the session, and checks that its role may use the route. This runs before the body is read, because
 * only a valid one may cause the cost of reading it.
 */
@Injectable()
export class AuthorizeRequest {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly links: FileLinks,
    private readonly config: Config,
  ) {}

  /**
   * @param needed the permission that the route declares
   * @param doubtedAddress the caller's address, if it has sent too many unknown keys
   * @throws AppError `UNAUTHENTICATED`, `COMPANY_SUSPENDED`, `FORBIDDEN`, `UNSUPPORTED_MEDIA_TYPE` if an upload route gets another kind of
   *   body, or `RATE_LIMITED` if too many keys of the doubted address are being looked up
   */
  async execute(
    request: AuthenticatedRequest,
    needed: Permission | undefined,
    doubtedAddress: string | null,
  ): Promise<void> {
    const { openedByFileLink, upload } = request.routeOptions.config;
    if (openedByFileLink && this.isOpenedByLink(request)) return;
    const caller = namesSession(request)
      ? await this.callerBySession(request, doubtedAddress)
      : await this.callerByKey(request, doubtedAddress);
    request.caller = caller;
    assertMay(caller, needed);
    if (upload) assertMultipart(request);
  }

  private callerByKey(request: FastifyRequest, doubtedAddress: string | null): Promise<Caller> {
    const key = keyOf(request);
    if (isPublishedKey(key)) assertLocal(request);
    return this.authenticate.execute(key, { address: request.ip, doubtedAddress });
  }

  private async callerBySession(request: FastifyRequest, doubtedAddress: string | null): Promise<Caller> {
    const session = sessionOf(request, this.config.publicUrl);
    const origin = { address: request.ip, doubtedAddress };
    const isEnding = endsItself(session, request);
    const { caller, isPublished } = await this.authenticate.session(session, origin, isEnding);
    if (isPublished && !isEnding) assertLocal(request);
    return caller;
  }

  /** @throws AppError `FORBIDDEN` for an invalid link without a key */
  private isOpenedByLink(request: AuthenticatedRequest): boolean {
    const query = request.query as LinkQuery;
    const id = idIn((request.params as { readonly id: string }).id);
    const link = id === null ? null : this.links.read(id, query);
    if (link !== null) {
      request.fileLink = link;
      return true;
    }
    const isNamed = request.headers.authorization !== undefined || namesSession(request);
    if (isNamed || query.signature === undefined) return false;
    throw new AppError(
      'FORBIDDEN',
      'the link has expired or was altered; request the file with an API key to get a new link',
    );
  }
}

/** Authorizes and counts every request before its body is read. Public routes have no caller. */
export function authorizeBeforeBody(
  server: FastifyInstance,
  authorize: AuthorizeRequest,
  limits: LimitRequests,
): void {
  const admit = async (
    request: AuthenticatedRequest,
    reply: FastifyReply,
    needed: Permission | undefined,
  ) => {
    try {
      await authorize.execute(request, needed, limits.doubtedAddress(request));
    } catch (refusal) {
      if (refusal instanceof AppError && refusal.cause instanceof RefusedKey)
        request.refusedKey = refusal.cause;
      await limits.countRefusal(request, reply, refusal);
      throw refusal;
    }
    await limits.countRequest(request, reply);
  };
  server.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config;
    if (access === PUBLIC) return done();
    admit(request, reply, access).then(() => done(), done);
  });
}

/** @throws AppError `FORBIDDEN`, also for a route that declares no permission: a forgotten one must not open it */
function assertMay({ role }: Caller, needed: Permission | undefined): void {
  if (needed !== undefined && roleMay(role, needed)) return;
  const allowed = ROLES.filter((other) => needed !== undefined && roleMay(other, needed));
  const wayOut = allowed.length > 0 ? `; use a key of role ${allowed.join(' or ')}` : '';
  throw new AppError('FORBIDDEN', `a key of role ${role} may not do this${wayOut}`);
}

/** Whether a request signs out: a session ends itself. */
function endsItself({ sessionId }: SessionToken, { params, routeOptions }: FastifyRequest): boolean {
  return (
    routeOptions.config.endsSession === true && idIn((params as { readonly id: string }).id) === sessionId
  );
}

/** @throws AppError `UNAUTHENTICATED` if the header is missing or malformed */
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
