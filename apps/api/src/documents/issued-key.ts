import type { IssuedKey } from '@counterfoil/documents';
import { isUuid, numericId } from '../http/path-id';

/** Parses the public id or the number of an issued document in a path. */
export function issuedKey(text: string): IssuedKey {
  return isUuid(text) ? { visibleId: text.toLowerCase() } : { id: numericId(text) };
}
