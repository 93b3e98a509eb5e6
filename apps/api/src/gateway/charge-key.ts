import { AppError, holdsCardNumber } from '@counterfoil/kernel';
import { definedFields } from '../http/defined-fields';
import type { RequestKey } from '../http/idempotency';
import { CARD_NUMBER_PROBLEM } from './no-pan-field';

/**
 * Tells a call from others that may come with its key. The fields of the body that the service does not know are left out:
 * they may hold anything, a card number included, of which not even a hash is kept.
 *
 * @param key null when the call came without
 * @param operation its name, or its path with the ids in it
 * @throws AppError `INVALID_IDEMPOTENCY_KEY` for a key that holds a card number; it does not say which
 */
export function identifiedKey(key: RequestKey | null, operation: string, body: object): RequestKey | null {
  if (key === null) return null;
  if (holdsCardNumber(key.key))
    throw new AppError('INVALID_IDEMPOTENCY_KEY', `Idempotency-Key ${CARD_NUMBER_PROBLEM}`);
  return key.identify(operation, definedFields(body));
}
