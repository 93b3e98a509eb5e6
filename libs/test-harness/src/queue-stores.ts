import fs from 'node:fs';
import { Redis } from 'ioredis';

export interface TestStore {
  readonly kind: 'postgresql' | 'redis';
  readonly redisUrl: string | null;
}

/** The queue stores that are there to be tested on: PostgreSQL always, Redis where `npm test` has found one. */
export function queueStores(): TestStore[] {
  const redisUrl = process.env['TEST_REDIS_URL'] ?? null;
  const postgresql = { kind: 'postgresql', redisUrl: null } as const;
  return redisUrl === null ? [postgresql] : [postgresql, { kind: 'redis', redisUrl }];
}

/** Loses everything that Redis holds of this store, as a Redis without persistence does when it is restarted. */
export async function flushStore(store: TestStore): Promise<void> {
  if (store.redisUrl === null) throw new Error(`the ${store.kind} store is not on Redis`);
  const client = new Redis(store.redisUrl, { lazyConnect: true });
  try {
    await client.connect();
    await client.flushdb();
  } finally {
    client.disconnect();
  }
}

/** Notes that processes ran on this store, for `npm test` to tell which it covered. */
export function noteCovered(store: TestStore): void {
  const file = process.env['TEST_STORES'];
  if (file) fs.appendFileSync(file, `${store.kind}\n`);
}
