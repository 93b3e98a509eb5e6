import type { Config } from '@counterfoil/config';
import { databaseIdentity, directUrl } from '@counterfoil/database';
import { PostgresStore } from './postgres-store';
import type { QueueStore } from './queue-store';
import { RedisStore } from './redis-store';

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
