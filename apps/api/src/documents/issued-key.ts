import type { IssuedKey } from '@counterfoil/documents';
import type { KeyedRequest } from '../http/idempotency';
import { isUuid, numericId } from '../http/path-id';

/** Parses the public id or the number of an issued document in a path. */
export function issuedKey(text: string): IssuedKey {
  return isUuid(text) ? { visibleId: text.toLowerCase() } : { id: numericId(text) };
}

/** Names the operation of a call about one document, in whichever spelling the path has its id. */
export function operationOnDocument(name: string): (request: KeyedRequest) => string {
  return ({ params }) => `${name} ${JSON.stringify(issuedKey((params as { readonly id: string }).id))}`;
}
