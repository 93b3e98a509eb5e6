import type { Config } from '@counterfoil/config';
import { clientOf, databaseIdentity, ResilientPool } from '@counterfoil/database';
import type { RateLimit } from '@counterfoil/kernel';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';
import { PostgresLimiter } from './postgres-limiter';

/** The longest time that a request waits for the store. */
export const STORE_PATIENCE_MS = 250;
/** The limit of the statement on the server, so that it does not keep a connection that others need. */
const STATEMENT_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Each process counts one subject at a time on a connection, so this many subjects at once. */
const POOL_SIZE = 4;

/** The store of the counters that all processes share. Also its injection token. */
export abstract class CounterStore {
  /**
   * Returns a limiter that counts in the store. It refuses without asking the store while it knows that a
   * subject is over the limit.
   */
  abstract limiter(limit: RateLimit): RateLimiterAbstract;
  abstract close(): Promise<void>;
}

/** Opens the store: Redis if `REDIS_URL` is set, PostgreSQL otherwise. */
export async function openCounterStore(config: Config): Promise<CounterStore> {
  const { redisUrl, databaseUrl } = config;
  if (redisUrl === null) return new PostgresCounters(config);
  const counters = new RedisCounters(redisUrl, `counterfoil-${await databaseIdentity(databaseUrl)}-rates`);
  await counters.open();
  return counters;
}

function optionsOf({ requests, windowSeconds }: RateLimit) {
  return { points: requests, duration: windowSeconds, inMemoryBlockOnConsumed: requests };
}

class RedisCounters extends CounterStore {
  private readonly redis: Redis;

  constructor(
    url: string,
    private readonly keyPrefix: string,
  ) {
    super();
    this.redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: STATEMENT_TIMEOUT_MS,
      // Replaces a connection that has gone silent.
      socketTimeout: STATEMENT_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // A server that became a replica keeps its connections; a new connection reaches the new primary.
      reconnectOnError: (error) => error.message.includes('READONLY'),
      lazyConnect: true,
    });
    this.redis.on('error', () => undefined);
  }

  /**
   * Connects before the first request is counted. After a failure, the client reconnects in the background.
   */
  open(): Promise<void> {
    return this.redis.connect().catch(() => undefined);
  }

  override limiter(limit: RateLimit): RateLimiterAbstract {
    return new RateLimiterRedis({
      ...optionsOf(limit),
      storeClient: this.redis,
      keyPrefix: this.keyPrefix,
      rejectIfRedisNotReady: true,
    });
  }

  override close(): Promise<void> {
    this.redis.disconnect();
    return Promise.resolve();
  }
}

/**
 * Uses separate connections, so that counting does not wait for those of the requests it limits. Commits do
 * not wait for the disk, because losing counters in a crash does no harm.
 */
class PostgresCounters extends CounterStore {
  private readonly pool: ResilientPool;

  constructor(config: Config) {
    super();
    this.pool = new ResilientPool({
      Client: clientOf(config),
      connectionString: config.databaseUrl,
      max: POOL_SIZE,
      options: '-c synchronous_commit=off',
      application_name: 'counterfoil-rate-limits',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
    });
  }

  override limiter(limit: RateLimit): RateLimiterAbstract {
    return new PostgresLimiter(optionsOf(limit), this.pool);
  }

  override close(): Promise<void> {
    return this.pool.end();
  }
}
