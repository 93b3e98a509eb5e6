import type { Config } from '@counterfoil/config';
import { inTime } from '@counterfoil/kernel';
import type { Socket } from 'node:net';
import pg from 'pg';
import { READ_ONLY } from './database-errors';
import { isForgotten } from './forgotten-connections';

const CONNECT_TIMEOUT_MS = 5_000;
/** How often the server is asked what has become of a statement that gets no answer. */
const LOOK_MS = 3_000;
/** A server reports it when a connection begins, from PostgreSQL 14 on. */
const STANDBY_PARAMETER = 'in_hot_standby';

export interface SteadyClientConfig extends pg.ClientConfig {
  /** In milliseconds. A server from which nothing comes for so long, while a statement runs, is out of reach. */
  readonly silence_timeout?: number;
  /** In milliseconds. While somebody listens for notifications, the server is asked for a sign of life so often. */
  readonly heartbeat_interval?: number;
}

/**
 * A connection that outlives its own errors, and gives up on a silent server. Between a pool and its borrower there is a
 * moment in which nobody listens, and an `error` event that nobody hears ends the process; the borrower learns of it all
 * the same, by the failure of its statement.
 *
 * Where packets are dropped, the system reports nothing for many minutes. So the connection is destroyed, and its
 * statement fails with `ETIMEDOUT`, once `silence_timeout` has gone by, or sooner where the server can be asked meanwhile
 * and says that it has nothing to do for this connection. The socket's own timer measures it: statements cost nothing
 * more.
 *
 * After a failover it may lead to a server that only reads. A standby is refused at once. A connection that has met a
 * refusal to write ends with its transaction: another one may lead to the server that took its place.
 */
export class SteadyClient extends pg.Client {
  /** When the last statement ended. */
  private answeredAt = 0;

  constructor(private readonly config: SteadyClientConfig = {}) {
    super(config);
    this.on('error', () => undefined);
    const { silence_timeout: silenceMs, heartbeat_interval: pauseMs } = config;
    if (silenceMs !== undefined) this.once('connect', () => this.giveUpAfter(silenceMs));
    if (pauseMs !== undefined) this.once('connect', () => this.beat(pauseMs));
    this.leaveReadOnly();
    this.once('connect', () => {
      open.add(this);
      this.connection.stream.once('close', () => open.delete(this));
    });
  }

  private leaveReadOnly(): void {
    let isRefused = false;
    const { connection } = this;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
      if (parameterName === STANDBY_PARAMETER && parameterValue === 'on')
        connection.stream.destroy(standby());
    });
    connection.on(
      'errorMessage',
      ({ code }: { readonly code?: string }) => (isRefused ||= code === READ_ONLY),
    );
    connection.on('readyForQuery', ({ status }: { readonly status: string }) => {
      this.answeredAt = performance.now();
      if (isRefused && status === IDLE) void this.end().catch(() => undefined);
    });
  }

  private giveUpAfter(silenceMs: number): void {
    const socket = this.connection.stream as Socket;
    const looks = Math.ceil(silenceMs / LOOK_MS);
    const quiet = { looks: 0, atByte: -1 };
    socket.setTimeout(silenceMs / looks);
    socket.on('timeout', () => {
      if (!this.isBusy) return;
      const { bytesRead } = socket;
      quiet.looks = quiet.atByte === bytesRead ? quiet.looks + 1 : 1;
      quiet.atByte = bytesRead;
      if (quiet.looks >= looks) return void socket.destroy(silent(silenceMs));
      void this.giveUpForgotten(socket, (quiet.looks * silenceMs) / looks);
      // From now on again.
      socket.setTimeout(silenceMs / looks);
    });
  }

  private async giveUpForgotten(socket: Socket, quietMs: number): Promise<void> {
    const quietSince = performance.now() - quietMs;
    const { bytesRead } = socket;
    if (!(await isForgotten(this.config, this.backend))) return;
    if (!this.isBusy || socket.bytesRead !== bytesRead) return;
    // First the others: whoever is told of the failure may want another connection at once.
    const doubtful = [...open].filter((other) => other.isDoubtful(this, quietSince));
    for (const { connection } of [...doubtful, this]) connection.stream.destroy(silent(LOOK_MS));
  }

  /** Where one connection is forgotten, others are that were idle all the time: each would cost its next user as much. */
  private isDoubtful({ host, port }: SteadyClient, since: number): boolean {
    return !this.isBusy && this.host === host && this.port === port && this.answeredAt < since;
  }

  /**
   * A connection that only listens sends nothing, so the system finds it broken after some ten minutes: Node can set when
   * the first probe is sent, not how often the next ones are.
   */
  private beat(pauseMs: number): void {
    const { stream } = this.connection;
    const timer = setInterval(() => {
      if (this.isBusy || this.listenerCount('notification') === 0) return;
      inTime(this.query('select 1'), pauseMs).catch(() => stream.destroy(silent(pauseMs)));
    }, pauseMs).unref();
    stream.once('close', () => clearInterval(timer));
  }

  /** Whether a statement runs. */
  private get isBusy(): boolean {
    return !this.undeclared.readyForQuery;
  }

  private get backend(): number {
    return this.undeclared.processID;
  }

  private get undeclared(): Undeclared {
    return this as unknown as Undeclared;
  }
}

/** The connections of this process. */
const open = new Set<SteadyClient>();

/** Fields that the driver has, and does not declare. */
interface Undeclared {
  readonly readyForQuery: boolean;
  readonly processID: number;
}

interface Parameter {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Outside a transaction. */
const IDLE = 'I';

function standby(): Error {
  return Object.assign(new Error('the server is a standby, which takes no writes'), { code: READ_ONLY });
}

function silent(silenceMs: number): Error {
  return Object.assign(new Error(`nothing came from the database for ${silenceMs} ms`), {
    code: 'ETIMEDOUT',
  });
}

/** A connection that nothing is sent on is probed after this long, lest a firewall forget it. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** A process that is killed while its statement waits for a lock must not hold what it has locked itself. */
const CLIENT_CHECK_INTERVAL_MS = 500;
/** Nor must one that cannot be reached any more: the server gives up on what is not acknowledged for so long. */
const TCP_USER_TIMEOUT_MS = 15_000;
/** While nothing is sent, there is nothing to acknowledge: a connection that the network has forgotten is probed. */
const SERVER_KEEP_ALIVE_S = { idle: 20, interval: 5 };

/**
 * For every connection of the service. The isolation is what the use cases count on: what is read under a lock is what
 * stands there once the lock is there, whatever the database's own default is.
 */
export const SESSION_SETTINGS =
  `-c client_connection_check_interval=${CLIENT_CHECK_INTERVAL_MS} ` +
  `-c tcp_user_timeout=${TCP_USER_TIMEOUT_MS} ` +
  `-c tcp_keepalives_idle=${SERVER_KEEP_ALIVE_S.idle} ` +
  `-c tcp_keepalives_interval=${SERVER_KEEP_ALIVE_S.interval} ` +
  '-c default_transaction_isolation=read\\ committed';

const POOL_CONNECT_TIMEOUT_MS = 3_000;
/** Of its statements, none takes long. */
const POOL_SILENCE_MS = 10_000;

/** A pool of such connections for what needs its own, beside the one that requests share. */
export class SteadyPool extends pg.Pool {
  constructor(config: pg.PoolConfig & SteadyClientConfig) {
    const options: pg.PoolConfig & SteadyClientConfig = {
      Client: SteadyClient,
      ...KEEP_ALIVE,
      connectionTimeoutMillis: POOL_CONNECT_TIMEOUT_MS,
      silence_timeout: POOL_SILENCE_MS,
      ...config,
      options: [SESSION_SETTINGS, config.options].join(' '),
    };
    super(options);
    this.on('error', () => undefined);
  }
}

/**
 * Runs `work` on a connection of its own.
 *
 * @param variable where the URL comes from, for the message
 * @throws Error with one line for an operator, without the password, when the database cannot be used
 */
export async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
  variable = 'DATABASE_URL',
): Promise<T> {
  const client = await connected(databaseUrl, variable);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Runs `work` on a connection of the role that migrates, which owns what is there.
 *
 * @throws Error with one line for an operator, without the password, when the database cannot be used
 */
export function withMigrationClient<T>(
  { migrationDatabaseUrl, databaseUrl }: Config,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  if (migrationDatabaseUrl === null) return withClient(databaseUrl, work);
  return withClient(migrationDatabaseUrl, work, 'MIGRATION_DATABASE_URL');
}

async function connected(databaseUrl: string, variable: string): Promise<pg.Client> {
  let place = `in ${variable}`;
  try {
    const client = new SteadyClient({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    place = `at ${client.host}:${client.port} (${variable})`;
    await client.connect();
    return client;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    throw new Error(`the database ${place} cannot be used: ${why}`, { cause });
  }
}
