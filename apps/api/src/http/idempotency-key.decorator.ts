import { parseIdempotencyKey } from '@counterfoil/kernel';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The key of a request; null when it came without.
 *
 * @throws AppError `INVALID_IDEMPOTENCY_KEY`
 */
export function idempotencyKeyOf({ raw }: FastifyRequest): string | null {
  return parseIdempotencyKey(raw.headersDistinct['idempotency-key'] ?? []);
}

/** The same, of the call that a handler takes. */
export const IdempotencyKeyOf = createParamDecorator((_: unknown, context: ExecutionContext): string | null =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Documents the header that `IdempotencyKeyOf` reads. */
export const ApiIdempotencyKey = (kept: string) =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: `Makes it safe to send the call again: 1 to 255 printable ASCII characters, the same on every retry. ${kept}`,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });

/** Documents the header that a repeated call is answered with. */
export const replayHeader = (description: string) => ({
  'Idempotent-Replay': { description: `true: ${description}`, schema: { type: 'string', enum: ['true'] } },
});

/** Says so when nothing was done now. */
export function noteReplay(replayed: boolean, reply: FastifyReply): void {
  if (replayed) void reply.status(200).header('idempotent-replay', 'true');
}
