import { FileLinks, type LinkQuery } from '@counterfoil/files';
import { AppError } from '@counterfoil/kernel';
import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../http/auth.guard';
import { idIn } from '../http/path-id';

const OPENED_BY_LINK = 'counterfoil:opened-by-link';

/** A valid link opens the route as a key does (decisions §4). */
export const OpenedByLink = () => SetMetadata(OPENED_BY_LINK, true);

/** Stands before the guard that asks for a key. Whoever has a key too may come with a link that is not valid any more. */
@Injectable()
export class FileLinkGuard implements CanActivate {
  constructor(
    private readonly links: FileLinks,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.reflector.get(OPENED_BY_LINK, context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const query = request.query as LinkQuery;
    const id = idIn((request.params as { readonly id: string }).id);
    request.openedByLink = id !== null && this.links.opens(id, query);
    const hasKey = request.headers.authorization !== undefined;
    if (request.openedByLink || hasKey || query.signature === undefined) return true;
    throw new AppError(
      'FORBIDDEN',
      'the link has expired, or is not as it was given out; read the file again for another',
    );
  }
}
