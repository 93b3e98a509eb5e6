import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** One key of `SECRETS_KEY`. */
export interface SecretsKey {
  /** The operator's name for the key. Null for a bare key. */
  readonly id: string | null;
  readonly key: string;
}

/** The keys of `SECRETS_KEY`. The first encrypts and signs; all of them decrypt and verify. */
export type SecretsKeys = readonly [SecretsKey, ...SecretsKey[]];

export const SECRETS_KEY_LENGTH_MIN = 32;
/** Shorter than any key, so that a key in the place of an id is never shown as one. */
const ID = /^[A-Za-z0-9_-]{1,24}:/;
/** The alphabets in which generators print random bytes. */
const GENERATED = /^[A-Za-z0-9+/=_-]{32,}$/;
const KEY_BYTES = 32;

/** A fault says which rule the text breaks. It never contains a key. */
export type ParsedKeys = { readonly keys: SecretsKeys } | { readonly fault: string };

/**
 * Parses a bare key, or a list of `id:key`. The elements of a list are separated by line breaks, or else by commas.
 */
export function parseSecretsKeys(text: string): ParsedKeys {
  const elements = text
    .split(text.includes('\n') ? '\n' : ',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
  if (elements.length === 1 && ID.test(elements[0] ?? '')) return parseSingle(elements[0] ?? '');
  if (elements.length > 1 && elements.some((element) => ID.test(element))) return parseList(elements);
  if (elements.length > 1 && elements.every((element) => GENERATED.test(element))) {
    return { fault: 'is a list whose keys have no ids: write each as id:key' };
  }
  return isLongEnough(text) ? { keys: [{ id: null, key: text }] } : { fault: 'is too short' };
}

/**
 * A bare key may happen to begin like an id. It remains in the list as it is, so that everything encrypted with it
 * can still be decrypted.
 */
function parseSingle(element: string): ParsedKeys {
  const bare = { id: null, key: element };
  const named = keyWithId(element);
  if (isLongEnough(named.key)) return { keys: [named, bare] };
  return isLongEnough(element) ? { keys: [bare] } : { fault: 'is too short' };
}

function parseList(elements: readonly string[]): ParsedKeys {
  const keys: SecretsKey[] = [];
  for (const [at, element] of elements.entries()) {
    if (!ID.test(element)) {
      return { fault: `is a list whose element ${at + 1} does not begin with an id and a colon` };
    }
    const { id, key } = keyWithId(element);
    if (!isLongEnough(key)) return { fault: `is a list whose key ${id} is too short` };
    if (keys.some((other) => other.id === id)) return { fault: `is a list with two keys ${id}` };
    if (keys.some((other) => other.key === key))
      return { fault: `is a list that contains the key ${id} twice` };
    keys.push({ id, key });
  }
  return { keys: keys as unknown as SecretsKeys };
}

function keyWithId(element: string): { readonly id: string; readonly key: string } {
  const end = element.indexOf(':');
  return { id: element.slice(0, end), key: element.slice(end + 1) };
}

function isLongEnough(key: string): boolean {
  return key.length >= SECRETS_KEY_LENGTH_MIN;
}

/** Derives a key for one purpose, so that no two purposes share a key. */
export function deriveKey({ key }: SecretsKey, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `counterfoil/${purpose}`, KEY_BYTES)));
}
