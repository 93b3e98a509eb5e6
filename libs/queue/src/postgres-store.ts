import type { Config } from '@counterfoil/config';
import {
  grantToRuntimeRole,
  isDatabaseUnavailable,
  ResilientPool,
  withMigrationClient,
} from '@counterfoil/database';
import { createPostgresBackend, DEFAULT_SCHEMA, type PgPool, runMigrations, withBackend } from 'bullmq';
import type pg from 'pg';
import type { JobName } from './jobs';
import {
  type AddedJob,
  KEEP_NOTHING,
  type Process,
  type QueueOf,
  QueueStore,
  WORKER_DEFAULTS,
  type WorkerLimits,
  type WorkerOf,
} from './queue-store';

/** The interval of checks on connections on which workers wait for jobs. A dead one would deliver none. */
const HEARTBEAT_MS = 3_000;
/**
 * Seconds after which a worker looks for jobs without a notification. BullMQ waits 5 seconds, which is a third of the
 * statements of an idle process, or an hour if it has lost its connection meanwhile. A notification is missed only if
 * LISTEN succeeds and the query for waiting jobs directly after it fails.
 */
const LOOK_S = 8;
/** Connections for the statements of queues and of running jobs, beside one for each worker that waits for a job. */
const STATEMENT_CONNECTIONS = 5;

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
  Object.defineProperty(backend, 'maximumBlockTimeout', { value: LOOK_S });
  return backend;
});

/** So many jobs are added by a statement each, because the one for many creates two temporary tables. */
const FEW = 4;

class PostgresQueue extends OnPostgres.Queue {
  override addBulk(jobs: AddedJob[]) {
    if (jobs.length <= FEW)
      return Promise.all(jobs.map(({ name, data, opts }) => this.add(name, data, opts)));
    // The statements of two processes would deadlock if they added the same ids in different orders.
    return super.addBulk([...jobs].sort((one, other) => (one.opts.jobId < other.opts.jobId ? -1 : 1)));
  }
}

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

export class PostgresStore extends QueueStore {
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
    return new PostgresQueue(name, { connection: this.connection, defaultJobOptions: KEEP_NOTHING });
  }

  override worker(name: string, process: Process, options: WorkerLimits): WorkerOf {
    this.pool.options.max += 1;
    return new OnPostgres.Worker(name, process, {
      ...options,
      ...WORKER_DEFAULTS,
      drainDelay: LOOK_S,
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
