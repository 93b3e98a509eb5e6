import type { Config } from '@counterfoil/config';
import { Queue, Worker } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import {
  KEEP_NOTHING,
  type Process,
  type QueueOf,
  QueueStore,
  WORKER_DEFAULTS,
  type WorkerLimits,
  type WorkerOf,
} from './queue-store';

const PROBE_TIMEOUT_MS = 3_000;
/**
 * A Redis that does not answer for this long counts as unavailable, even if the connection looks alive. Then
 * a new connection is made.
 */
const SILENCE_MS = 2_000;
/** The same for workers, whose commands may move many jobs. */
const WORKER_SILENCE_MS = 5_000;
/**
 * A server that became a replica keeps its connections, and only a new connection to the same name reaches
 * the new primary. `then`: 1 fails the command, 2 repeats it on the new connection.
 */
const LEAVE_REPLICA = (then: 1 | 2) => (error: Error) => error.message.includes('READONLY') && then;
/**
 * The connection on which all workers of a process send commands. Each worker duplicates it to wait for jobs,
 * which may take longer than the socket timeout. BullMQ itself checks the duplicates.
 */
class ConsumerRedis extends Redis {
  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    return super.duplicate({ ...override, socketTimeout: undefined });
  }
}

export class RedisStore extends QueueStore {
  /** Fails at once while Redis is unavailable, because requests must not wait for it. */
  private readonly producer: Redis;
  private readonly consumer: Redis;

  constructor(
    url: string,
    private readonly prefix: string,
  ) {
    super();
    this.producer = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      connectTimeout: PROBE_TIMEOUT_MS,
      reconnectOnError: LEAVE_REPLICA(1),
    });
    this.producer.on('error', () => undefined);
    this.consumer = new ConsumerRedis(url, {
      lazyConnect: true,
      maxRetriesPerRequest: null,
      socketTimeout: WORKER_SILENCE_MS,
      connectTimeout: PROBE_TIMEOUT_MS,
      // Repeat the command, because a job whose end is not reported stays locked until its lock expires.
      reconnectOnError: LEAVE_REPLICA(2),
    });
    this.consumer.on('error', () => undefined);
  }

  override queue(name: string): QueueOf {
    return new Queue(name, {
      connection: this.producer,
      prefix: this.prefix,
      defaultJobOptions: KEEP_NOTHING,
    });
  }

  override worker(name: string, process: Process, options: WorkerLimits): WorkerOf {
    const redis = { connection: this.consumer, prefix: this.prefix };
    return new Worker(name, process, { ...options, ...WORKER_DEFAULTS, ...redis });
  }

  override close(): Promise<void> {
    this.producer.disconnect();
    this.consumer.disconnect();
    return Promise.resolve();
  }
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
