import { createHash } from 'node:crypto';

/** How a key is stored. Keys are long and random, so a fast hash keeps them as well as a slow one would. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
