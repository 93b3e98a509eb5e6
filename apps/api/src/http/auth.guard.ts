import { Authenticate } from '@counterfoil/identity';
import { AppError, type Caller, type Permission, roleMay } from '@counterfoil/kernel';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { PERMISSION_KEY, PUBLIC } from './requires.decorator';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export interface AuthenticatedRequest extends FastifyRequest {
  caller?: Caller;
  /** Whether a valid link has come instead of a key. */
  openedByLink?: boolean;
}

/**
 * Makes the caller out of the key, and asks whether its role may do what the route says it needs. A route that says
 * nothing is refused: forgetting to say it must not open it.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly authenticate: Authenticate,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const needed = this.reflector.getAllAndOverride<Permission | typeof PUBLIC | undefined>(PERMISSION_KEY, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (needed === PUBLIC) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (request.openedByLink) return true;
    const caller = request.caller ?? (await this.authenticate.execute(keyOf(request)));
    assertMay(caller, needed);
    request.caller = caller;
    return true;
  }
}

/** @throws AppError `FORBIDDEN` where nobody said what is needed, too */
export function assertMay({ role }: Caller, needed: Permission | undefined): void {
  if (needed !== undefined && roleMay(role, needed)) return;
  throw new AppError('FORBIDDEN', `a key of role ${role} may not do this`);
}

/** @throws AppError `UNAUTHENTICATED` without a key, or with a header that is malformed */
export function keyOf(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) {
    throw new AppError('UNAUTHENTICATED', 'send your API key as Authorization: Bearer <API_KEY>');
  }
  const key = BEARER.exec(header)?.[1];
  if (key === undefined)
    throw new AppError('UNAUTHENTICATED', 'the Authorization header must be Bearer <API_KEY>');
  return key;
}
