import fs from 'node:fs';
import { Redis } from 'ioredis';

export interface TestStore {
  readonly kind: 'postgresql' | 'redis';
  readonly redisUrl: string | null;
}

export const POSTGRESQL: TestStore = { kind: 'postgresql', redisUrl: null };

/** The queue stores to test on: always PostgreSQL, and Redis if `npm test` has found one. */
export function queueStores(): TestStore[] {
  const redisUrl = redisUrlOfWorker();
  return redisUrl === null ? [POSTGRESQL] : [POSTGRESQL, { kind: 'redis', redisUrl }];
}

/** For tests whose subject is not the queue: Redis if it is there. */
export const oneQueueStore = (): TestStore[] => queueStores().slice(-1);

/**
 * `TEST_REDIS_URL` names one database for each Jest worker, separated by commas, because tests empty theirs.
 */
function redisUrlOfWorker(): string | null {
  const urls = process.env['TEST_REDIS_URL']?.split(',').filter((url) => url !== '') ?? [];
  return urls[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1] ?? urls[0] ?? null;
}

/** Deletes everything in this Redis store, as a restart of a Redis without persistence does. */
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

/** Returns all keys of this Redis store with their values, for tests that search for secrets. */
export async function textOfStore(store: TestStore): Promise<string> {
  if (store.redisUrl === null) throw new Error(`the ${store.kind} store is not on Redis`);
  const client = new Redis(store.redisUrl, { lazyConnect: true });
  try {
    await client.connect();
    const keys = await client.keys('*');
    const values = await Promise.all(keys.map((key) => client.dump(key)));
    const readable = await Promise.all(keys.map((key) => textOf(client, key)));
    return [...keys, ...values, ...readable].join('\n');
  } finally {
    client.disconnect();
  }
}

/** Jobs are read as text, because the dump of a key may be compressed. */
async function textOf(client: Redis, key: string): Promise<string> {
  const type = await client.type(key);
  if (type === 'hash') return JSON.stringify(await client.hgetall(key));
  if (type === 'stream') return JSON.stringify(await client.xrange(key, '-', '+'));
  return type === 'string' ? ((await client.get(key)) ?? '') : '';
}

/** Records that processes ran on this store, so that `npm test` can report which stores it covered. */
export function noteCovered(store: TestStore): void {
  const file = process.env['TEST_STORES'];
  if (file) fs.appendFileSync(file, `${store.kind}\n`);
}
