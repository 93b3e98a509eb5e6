import type { Config } from '@counterfoil/config';
import { databaseIdentity, directUrl } from '@counterfoil/database';
import { Redis } from 'ioredis';
import { PostgresStore } from './postgres-store';
import type { QueueStore } from './queue-store';
import { PROBE_TIMEOUT_MS, RedisStore } from './redis-store';

/**
 * Opens the store: Redis if `REDIS_URL` is set, PostgreSQL otherwise. Jobs contain ids of one database, so
 * installations that share a Redis need separate prefixes.
 */
export async function openQueueStore(config: Config): Promise<QueueStore> {
  const { redisUrl, databaseUrl } = config;
  // BullMQ listens for notifications, creates temporary tables and needs a search path, all of which a session keeps.
  if (redisUrl === null) return new PostgresStore(directUrl(config));
  return new RedisStore(redisUrl, `counterfoil-${await databaseIdentity(databaseUrl)}`);
}

/**
 * Checks that the store can be used before anything depends on it, because BullMQ would wait for Redis
 * forever.
 *
 * @throws Error with one line for the operator
 */
export async function assertQueueStoreReachable(config: Config): Promise<void> {
  if (config.redisUrl === null) return;
  const redis = new Redis(config.redisUrl, {
    lazyConnect: true,
    connectTimeout: PROBE_TIMEOUT_MS,
    retryStrategy: null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    throw new Error(`Redis at ${redis.options.host}:${redis.options.port} (REDIS_URL) cannot be reached`, {
      cause,
    });
  } finally {
    // On a closed connection, `disconnect` would only start a timer that keeps the process alive.
    if (redis.status !== 'end') redis.disconnect();
  }
}
