import fs from 'node:fs';
import { Redis } from 'ioredis';

export interface TestStore {
  readonly kind: 'postgresql' | 'redis';
  readonly redisUrl: string | null;
}

/** The queue stores that are there to be tested on: PostgreSQL always, Redis where `npm test` has found one. */
export function queueStores(): TestStore[] {
  const redisUrl = redisUrlOfWorker();
  const postgresql = { kind: 'postgresql', redisUrl: null } as const;
  return redisUrl === null ? [postgresql] : [postgresql, { kind: 'redis', redisUrl }];
}

/** `TEST_REDIS_URL` names a database for each of Jest's workers, with commas between: tests empty theirs. */
function redisUrlOfWorker(): string | null {
  const urls = process.env['TEST_REDIS_URL']?.split(',') ?? [];
  return urls[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1] ?? urls[0] ?? null;
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

/** Every key that Redis holds of this store, with its value: for whoever looks for what must not be there. */
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

/** A dump may be compressed: what is kept most, jobs, is read as it is. */
async function textOf(client: Redis, key: string): Promise<string> {
  const type = await client.type(key);
  if (type === 'hash') return JSON.stringify(await client.hgetall(key));
  if (type === 'stream') return JSON.stringify(await client.xrange(key, '-', '+'));
  return type === 'string' ? ((await client.get(key)) ?? '') : '';
}

/** Notes that processes ran on this store, for `npm test` to tell which it covered. */
export function noteCovered(store: TestStore): void {
  const file = process.env['TEST_STORES'];
  if (file) fs.appendFileSync(file, `${store.kind}\n`);
}
