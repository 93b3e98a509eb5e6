import type { Config } from '@counterfoil/config';
import { databaseIdentity, grantToRuntimeRole, SteadyPool, withMigrationClient } from '@counterfoil/database';
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
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export interface WorkerOf {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export type Process = (job: { readonly data: unknown }) => Promise<void>;

/** Where BullMQ keeps its jobs. The only code that knows which store that is (decisions §11). Also its own token. */
export abstract class QueueStore {
  abstract queue(name: string): QueueOf;
  abstract worker(name: string, process: Process, options: WorkerLimits): WorkerOf;
  abstract close(): Promise<void>;
}

type WorkerLimits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval'>;

const PROBE_TIMEOUT_MS = 3_000;
/** A Redis that takes this long is away, though its connection may look alive: another connection is made. */
const SILENCE_MS = 2_000;
/** The same for workers, whose commands may move many jobs. */
const WORKER_SILENCE_MS = 5_000;
/**
 * A server that was made a replica keeps its connections, and behind one name only a new connection finds the one that
 * took its place. 1 fails the command, 2 sends it again there.
 */
const LEAVE_REPLICA = (then: 1 | 2) => (error: Error) => error.message.includes('READONLY') && then;
/** How often a connection on which workers wait is looked after: without it they hear of no job. */
const HEARTBEAT_MS = 3_000;
/** One connection for each worker that waits for a job, and some for the statements of those that run. */
const POOL_SIZE = 10;

/** Jobs leave no trace once they ended: what came of them is recorded in PostgreSQL, and their id is free again. */
const KEEP_NOTHING = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
/** After a failed look at the store a worker pauses for this long; BullMQ's own 15 seconds are an outage made longer. */
const PAUSE_AFTER_FAILURE_MS = 1_000;
const WORKER_DEFAULTS = {
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  runRetryDelay: PAUSE_AFTER_FAILURE_MS,
};

/**
 * Redis where `REDIS_URL` is set, PostgreSQL otherwise. Jobs carry ids of one database, so two installations that share a
 * Redis must not take each other's.
 */
export async function openQueueStore({ redisUrl, databaseUrl }: Config): Promise<QueueStore> {
  if (redisUrl === null) return new PostgresStore(databaseUrl);
  return new RedisStore(redisUrl, `counterfoil-${await databaseIdentity(databaseUrl)}`);
}

/**
 * Makes sure that the store can be used, before anything relies on it: BullMQ itself would wait for Redis for ever.
 *
 * @throws Error with one line for an operator
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
    // On a connection that has ended already this would only start a timer that keeps the process.
    if (redis.status !== 'end') redis.disconnect();
  }
}

/** Makes or updates the tables of the PostgreSQL store. Needed only where Redis is not used, harmless elsewhere. */
export async function migrateQueueStore(config: Config, queues: readonly JobName[]): Promise<void> {
  await withMigrationClient(config, async (client) => {
    await runMigrations(client);
    for (const queue of queues) await client.query(await sequenceFor(client, queue));
  });
  await grantToRuntimeRole(config, { schema: DEFAULT_SCHEMA, ledger: 'migration' });
}

/** BullMQ makes the sequence of a queue's job ids at the first job, which the runtime role may not. */
async function sequenceFor(client: pg.Client, queue: string): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('create sequence if not exists %I.%I', $1::text, ${DEFAULT_SCHEMA}.job_id_seq_name($2)) as statement`,
    [DEFAULT_SCHEMA, queue],
  );
  return rows[0]?.statement ?? '';
}

/**
 * The connection on which all workers of a process send their commands. Each duplicates it to wait for jobs, which takes
 * longer than a silent Redis may; BullMQ watches those itself.
 */
class ConsumerRedis extends Redis {
  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    return super.duplicate({ ...override, socketTimeout: undefined });
  }
}

class RedisStore extends QueueStore {
  /** Fails at once while Redis is away: a request must not wait for it. */
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
      // The end of a job is told once: it would be locked until its time is over.
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
    const places = { connection: this.consumer, prefix: this.prefix };
    return new Worker(name, process, { ...options, ...WORKER_DEFAULTS, ...places });
  }

  override close(): Promise<void> {
    this.producer.disconnect();
    this.consumer.disconnect();
    return Promise.resolve();
  }
}

const OnPostgres = withBackend(createPostgresBackend);

class PostgresStore extends QueueStore {
  private readonly pool: SteadyPool;

  constructor(connectionString: string) {
    super();
    this.pool = new SteadyPool({
      connectionString,
      max: POOL_SIZE,
      options: `-c search_path=${DEFAULT_SCHEMA}`,
      application_name: 'counterfoil-queue',
      heartbeat_interval: HEARTBEAT_MS,
    });
    // Every queue and every worker listens, two or three for each kind of job: that is no leak.
    this.pool.setMaxListeners(0);
  }

  override queue(name: string): QueueOf {
    return new OnPostgres.Queue(name, { connection: this.connection, defaultJobOptions: KEEP_NOTHING });
  }

  override worker(name: string, process: Process, options: WorkerLimits): WorkerOf {
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
