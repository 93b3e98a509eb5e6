import { AppError, fingerprintOf, holdsCardNumber, type RetryKey } from '@counterfoil/kernel';
import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiIdempotencyKey, idempotencyKeyOf } from '../http/idempotency-key.decorator';
import { numericId } from '../http/path-id';
import { Requires } from '../http/requires.decorator';
import { sentFields } from '../http/sent-fields';
import { CARD_NUMBER_PROBLEM } from './cardless-field';

/** A call that moves money, and may be sent again with its key. */
export const ApiRepeatable = (kept: string) => applyDecorators(ApiIdempotencyKey(kept), Requires('write'));

/** Which charge a call is to change, and the key that it came with. */
export interface Change {
  readonly id: number;
  readonly key: string | null;
}

export const ChangeOf = createParamDecorator((_: unknown, context: ExecutionContext): Change => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const { id } = request.params as { readonly id: string };
  return { id: numericId(id), key: idempotencyKeyOf(request) };
});

/**
 * What tells a call that is repeated from another one. The fields of the body that the service does not know are left
 * out: they may hold anything, a card number included, of which not even a hash is kept.
 *
 * @param key as the call came with it; null when it came without
 * @param path with the ids in it
 * @throws AppError `INVALID_IDEMPOTENCY_KEY` for a key that holds a card number; it does not say which
 */
export function retryKeyOf(key: string | null, path: string, body: object): RetryKey | null {
  if (key === null) return null;
  if (holdsCardNumber(key))
    throw new AppError('INVALID_IDEMPOTENCY_KEY', `Idempotency-Key ${CARD_NUMBER_PROBLEM}`);
  return { key, fingerprint: fingerprintOf(path, sentFields(body)) };
}
