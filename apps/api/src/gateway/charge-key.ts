import { AppError, holdsCardNumber } from '@counterfoil/kernel';
import { definedFields } from '../http/defined-fields';
import type { RequestKey } from '../http/idempotency';
import { CARD_NUMBER_PROBLEM } from './no-pan-field';

/**
 * Sets the fingerprint of a call's key. It omits unknown fields of the body, because they may contain a card number,
 * and the service does not store even a hash of one.
 *
 * @param key null without an `Idempotency-Key`
 * @param operation the name of the operation, or its path with the ids in it
 * @throws AppError `INVALID_IDEMPOTENCY_KEY` for a key with a card number, without repeating it
 */
export function identifiedKey(key: RequestKey | null, operation: string, body: object): RequestKey | null {
  if (key === null) return null;
  if (holdsCardNumber(key.key))
    throw new AppError('INVALID_IDEMPOTENCY_KEY', `Idempotency-Key ${CARD_NUMBER_PROBLEM}`);
  return key.identify(operation, definedFields(body));
}
