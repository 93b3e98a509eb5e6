import type { Caller } from '@counterfoil/kernel';

/** Who changed something, as events name it: `user:<id>`, `api-key:<id>` or `system:<job>` (decisions §10). */
export type Actor = `user:${number}` | `api-key:${number}` | `system:${string}`;

/** Whoever calls, calls with a key. */
export function actorOf({ apiKeyId }: Caller): Actor {
  return `api-key:${apiKeyId}`;
}
