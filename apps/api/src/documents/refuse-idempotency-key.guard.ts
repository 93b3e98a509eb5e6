import { AppError } from '@counterfoil/kernel';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Until the header is served it is refused: ignoring it would issue twice for a caller who relies on it. */
@Injectable()
export class RefuseIdempotencyKey implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers['idempotency-key'] === undefined) return true;
    throw new AppError(
      'INVALID_IDEMPOTENCY_KEY',
      'Idempotency-Key is not supported yet; send an externalId instead',
    );
  }
}
