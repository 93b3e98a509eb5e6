import type { Caller } from '@counterfoil/kernel';

/**
 * The author of a change, as events name it: `user:<id>`, `api-key:<id>` or `system:<job>` (contract §15.7).
 */
export type Actor = `user:${number}` | `api-key:${number}` | `system:${string}`;

/** Every caller has a key. */
export function actorOf({ apiKeyId }: Caller): Actor {
  return `api-key:${apiKeyId}`;
}
