import type { Config } from '@counterfoil/config';
import { databaseIdentity, SteadyPool } from '@counterfoil/database';
import type { RateLimit } from '@counterfoil/kernel';
import { Redis } from 'ioredis';
import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';
import { PostgresLimiter } from './postgres-limiter';

/** How long a request waits for the store at most. */
export const STORE_PATIENCE_MS = 250;
/** Of the statement itself, on the server: a connection that waits longer is wanted for others. */
const STATEMENT_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** Each process asks for one subject at a time; these serve different ones. */
const POOL_SIZE = 4;

/** Where the counters are that all processes share. Also its own token. */
export abstract class CounterStore {
  /** Counts by a limit; refuses without asking the store while a subject is known to be over it. */
  abstract limiter(limit: RateLimit): RateLimiterAbstract;
  abstract close(): Promise<void>;
}

/** Redis where `REDIS_URL` is set, PostgreSQL otherwise. */
export async function openCounterStore({ redisUrl, databaseUrl }: Config): Promise<CounterStore> {
  if (redisUrl === null) return new PostgresCounters(databaseUrl);
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
      // A connection that has gone silent would stay so: another one is made.
      socketTimeout: STATEMENT_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      // A server that was made a replica keeps its connections: another one leads to the server that took its place.
      reconnectOnError: (error) => error.message.includes('READONLY'),
      lazyConnect: true,
    });
    this.redis.on('error', () => undefined);
  }

  /** Connects before the first request is counted; where that fails, it is tried again beside the requests. */
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
 * Connections of its own: counting must not wait for those of the requests that it is to limit. Nothing is lost with
 * what a crash of the server loses, so no commit waits for the disk.
 */
class PostgresCounters extends CounterStore {
  private readonly pool: SteadyPool;

  constructor(connectionString: string) {
    super();
    this.pool = new SteadyPool({
      connectionString,
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
