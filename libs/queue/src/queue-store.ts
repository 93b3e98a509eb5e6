import type { Config } from '@counterfoil/config';
import {
  databaseIdentity,
  directUrl,
  grantToRuntimeRole,
  isDatabaseUnavailable,
  ResilientPool,
  withMigrationClient,
} from '@counterfoil/database';
import {
  createPostgresBackend,
  DEFAULT_SCHEMA,
  type PgPool,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type pg from 'pg';
import type { JobName } from './jobs';

export interface QueueOf {
  addBulk(jobs: { name: string; data: unknown; opts: { jobId: string; delay: number } }[]): Promise<unknown>;
  remove(jobId: string): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export interface WorkerOf {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export type Process = (job: { readonly data: unknown }) => Promise<void>;

/**
 * The store of BullMQ's jobs. Only this file knows which store that is (contract §17.3). Also its injection
 * token.
 */
export abstract class QueueStore {
  abstract queue(name: string): QueueOf;
  abstract worker(name: string, process: Process, options: WorkerLimits): WorkerOf;
  abstract close(): Promise<void>;
}

type WorkerLimits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval'>;

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
/** The interval of checks on connections on which workers wait for jobs. A dead one would deliver none. */
const HEARTBEAT_MS = 3_000;
/** Connections for the statements of queues and of running jobs, beside one for each worker that waits for a job. */
const STATEMENT_CONNECTIONS = 5;

/** Removes jobs when they end: PostgreSQL records the outcome, and the id becomes free. */
const KEEP_NOTHING = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
/**
 * The pause of a worker after an error of the store. BullMQ's default of 15 seconds would prolong an outage.
 */
const PAUSE_AFTER_FAILURE_MS = 1_000;
const WORKER_DEFAULTS = {
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  runRetryDelay: PAUSE_AFTER_FAILURE_MS,
};

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

/** Creates or updates the tables of the PostgreSQL store. Without effect on the service if it uses Redis. */
export async function migrateQueueStore(config: Config, queues: readonly JobName[]): Promise<void> {
  await withMigrationClient(config, async (client) => {
    await runMigrations(client);
    for (const queue of queues) await client.query(await sequenceFor(client, queue));
  });
  await grantToRuntimeRole(config, { schema: DEFAULT_SCHEMA, ledger: 'migration' });
}

/**
 * Creates the sequence of a queue's job ids. BullMQ would create it for the first job, which the runtime role
 * may not.
 */
async function sequenceFor(client: pg.Client, queue: string): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('create sequence if not exists %I.%I', $1::text, ${DEFAULT_SCHEMA}.job_id_seq_name($2)) as statement`,
    [DEFAULT_SCHEMA, queue],
  );
  return rows[0]?.statement ?? '';
}

/**
 * The connection on which all workers of a process send commands. Each worker duplicates it to wait for jobs,
 * which may take longer than the socket timeout. BullMQ itself checks the duplicates.
 */
class ConsumerRedis extends Redis {
  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    return super.duplicate({ ...override, socketTimeout: undefined });
  }
}

class RedisStore extends QueueStore {
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

/** A connection that remembers the outcome of its start. BullMQ does not declare it. */
interface Remembering {
  waitUntilReady(): Promise<void>;
  readyPromise?: Promise<void> | undefined;
}

/**
 * Starts a connection again whose start has failed. BullMQ remembers the failure, so a worker that started while the
 * database ended would never take a job.
 */
function forgetFailures(connection: Remembering): void {
  const start = connection.waitUntilReady.bind(connection);
  connection.waitUntilReady = async () => {
    try {
      await start();
    } catch (error) {
      connection.readyPromise = undefined;
      throw error;
    }
  };
}

const OnPostgres = withBackend((...parameters: Parameters<typeof createPostgresBackend>) => {
  const backend = createPostgresBackend(...parameters);
  const remembering = backend as unknown as Remembering & { readonly connection: Remembering };
  forgetFailures(remembering);
  forgetFailures(remembering.connection);
  return backend;
});

/**
 * A pool whose errors BullMQ recognises. It pauses only after a refused connection. After any other error, such as
 * that of a server that is starting or ending, a worker asks again at once, without a pause in which the process
 * could do anything else.
 */
class QueuePool extends ResilientPool {
  // The declared overloads cannot be implemented by one signature.
  override readonly query = ((...parameters: Parameters<pg.Pool['query']>) =>
    recognisable(super.query(...parameters) as unknown as Promise<unknown>)) as unknown as pg.Pool['query'];

  override connect(): Promise<pg.PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<pg.PoolClient> | void {
    return connected ? super.connect(connected) : recognisable(super.connect());
  }
}

type Connected = Parameters<pg.Pool['connect']>[0];

async function recognisable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    throw Object.assign(new Error((error as Error).message, { cause: error }), { code: 'ECONNREFUSED' });
  }
}

class PostgresStore extends QueueStore {
  private readonly pool: QueuePool;

  constructor(connectionString: string) {
    super();
    this.pool = new QueuePool({
      connectionString,
      max: STATEMENT_CONNECTIONS,
      options: `-c search_path=${DEFAULT_SCHEMA}`,
      application_name: 'counterfoil-queue',
      heartbeat_interval: HEARTBEAT_MS,
    });
    // Each queue and each worker adds listeners, two or three for each kind of job. That is not a leak.
    this.pool.setMaxListeners(0);
  }

  override queue(name: string): QueueOf {
    return new OnPostgres.Queue(name, { connection: this.connection, defaultJobOptions: KEEP_NOTHING });
  }

  override worker(name: string, process: Process, options: WorkerLimits): WorkerOf {
    this.pool.options.max += 1;
    return new OnPostgres.Worker(name, process, {
      ...options,
      ...WORKER_DEFAULTS,
      connection: this.connection,
    });
  }

  override close(): Promise<void> {
    return this.pool.end();
  }

  private get connection(): PgPool {
    return this.pool as unknown as PgPool;
  }
}
