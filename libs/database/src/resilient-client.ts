import type { Config } from '@counterfoil/config';
import { inTime } from '@counterfoil/kernel';
import type { Socket } from 'node:net';
import pg from 'pg';
import { READ_ONLY } from './database-errors';
import { isForgotten } from './forgotten-connections';
import { databaseConnectionsLostTotal, databaseErrorsTotal } from './metrics';
import { SESSION_SETTINGS, WITHOUT_LIMITS } from './session-settings';

const CONNECT_TIMEOUT_MS = 5_000;
/** The interval at which the server is asked for the state of a statement without an answer. */
const LOOK_MS = 3_000;
/** Servers report this parameter on connecting, from PostgreSQL 14 on. */
const STANDBY_PARAMETER = 'in_hot_standby';

export interface ResilientClientConfig extends pg.ClientConfig {
  /**
   * Milliseconds. If nothing arrives for this long while a statement runs, the server counts as unreachable.
   */
  readonly silence_timeout?: number;
  /**
   * Milliseconds. While the client listens for notifications, it checks at this interval that the server
   * answers.
   */
  readonly heartbeat_interval?: number;
  /** A connection to a standby, which others refuse. Its errors are not those of the database in the metrics. */
  readonly is_standby?: boolean;
}

/**
 * A connection that survives its own errors and gives up on a silent server. Between a pool and its user
 * there is a moment without an `error` listener, and an unhandled `error` event would end the process. The
 * user still learns of the error, because its statement fails.
 *
 * If a network drops packets, the operating system reports nothing for many minutes. So this destroys the
 * connection after `silence_timeout`, and its statement fails with `ETIMEDOUT`. It does so earlier if the
 * server, asked on another connection, reports that it is idle on this one. The socket's own timer measures
 * the silence, so statements cost nothing extra.
 *
 * After a failover, a connection may lead to a read-only server. A standby is refused at once. A connection
 * on which a write was refused ends with its transaction, because a new one may lead to the new primary.
 */
export class ResilientClient extends pg.Client {
  /** The time at which the last statement ended. */
  private answeredAt = 0;

  constructor(private readonly config: ResilientClientConfig = {}) {
    super(config);
    const { silence_timeout: silenceMs, heartbeat_interval: pauseMs } = config;
    if (silenceMs !== undefined) this.once('connect', () => this.giveUpAfter(silenceMs));
    if (pauseMs !== undefined) this.once('connect', () => this.beat(pauseMs));
    this.on('error', () => config.is_standby || databaseConnectionsLostTotal.inc());
    this.connection.on('readyForQuery', () => (this.answeredAt = performance.now()));
    if (!config.is_standby) {
      this.leaveStandby();
      this.leaveReadOnly();
    }
    this.once('connect', () => {
      open.add(this);
      this.connection.stream.once('close', () => open.delete(this));
    });
  }

  private leaveStandby(): void {
    const { connection } = this;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Parameter) => {
      if (parameterName === STANDBY_PARAMETER && parameterValue === 'on')
        connection.stream.destroy(standby());
    });
  }

  private leaveReadOnly(): void {
    let isRefused = false;
    const { connection } = this;
    connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
      databaseErrorsTotal.inc({ sqlstate: code ?? 'none' });
      isRefused ||= code === READ_ONLY;
    });
    connection.on('readyForQuery', ({ status }: { readonly status: string }) => {
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
      // `destroy` was not called, so start the timer again.
      socket.setTimeout(silenceMs / looks);
    });
  }

  private async giveUpForgotten(socket: Socket, quietMs: number): Promise<void> {
    const quietSince = performance.now() - quietMs;
    const { bytesRead } = socket;
    if (!(await isForgotten(this.config, this.backend))) return;
    if (!this.isBusy || socket.bytesRead !== bytesRead) return;
    // Destroy the others first: the caller of the failed statement may take another connection at once.
    const doubtful = [...open].filter((other) => other.isDoubtful(this, quietSince));
    for (const { connection } of [...doubtful, this]) connection.stream.destroy(silent(LOOK_MS));
  }

  /**
   * When one connection was dropped, others that were idle meanwhile probably were, too. Each would fail its
   * next statement.
   */
  private isDoubtful({ host, port }: ResilientClient, since: number): boolean {
    return !this.isBusy && this.host === host && this.port === port && this.answeredAt < since;
  }

  /**
   * A connection that only listens sends nothing, so the system takes some ten minutes to find it broken:
   * Node can set the delay of the first keep-alive probe, but not the interval of the next ones.
   */
  private beat(pauseMs: number): void {
    const { stream } = this.connection;
    const timer = setInterval(() => {
      if (this.isBusy || this.listenerCount('notification') === 0) return;
      inTime(this.query('select 1'), pauseMs).catch(() => stream.destroy(silent(pauseMs)));
    }, pauseMs).unref();
    stream.once('close', () => clearInterval(timer));
  }

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

/** The open connections of this process. */
const open = new Set<ResilientClient>();

/** Fields that the driver has but does not declare. */
interface Undeclared {
  readonly readyForQuery: boolean;
  readonly processID: number;
}

interface Parameter {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The transaction status outside a transaction. */
const IDLE = 'I';

function standby(): Error {
  return Object.assign(new Error('the server is a standby, which takes no writes'), { code: READ_ONLY });
}

function silent(silenceMs: number): Error {
  return Object.assign(new Error(`nothing came from the database for ${silenceMs} ms`), {
    code: 'ETIMEDOUT',
  });
}

/** Probes an idle connection after this time, so that firewalls keep it. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

const POOL_CONNECT_TIMEOUT_MS = 3_000;
/** Its statements are short. */
const POOL_SILENCE_MS = 10_000;

/** For statements without a time limit: the connection is given up only if the server is idle on it. */
export const UNLIMITED_SILENCE_MS = 24 * 3_600_000;

/** A pool of resilient connections for components that need their own, besides the pool of requests. */
export class ResilientPool extends pg.Pool {
  constructor(config: pg.PoolConfig & ResilientClientConfig) {
    const options: pg.PoolConfig & ResilientClientConfig = {
      Client: ResilientClient,
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
 * Runs `work`, whose statements must be short, on a separate connection.
 *
 * @throws Error with one line for the operator, without the password, if the database cannot be used
 */
export function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return run(work, { url: databaseUrl, variable: 'DATABASE_URL' }, { silence_timeout: POOL_SILENCE_MS });
}

/**
 * Like `withClient`, in a session of its own also if `DATABASE_URL` leads to a pooler.
 *
 * @param options the start-up parameter of this name
 */
export function withDirectClient<T>(
  config: Config,
  work: (client: pg.Client) => Promise<T>,
  options = '',
): Promise<T> {
  return run(work, directPlace(config), { options, silence_timeout: POOL_SILENCE_MS });
}

/**
 * Runs `work`, whose statements may take any time, on a connection of the role that owns the schema.
 *
 * @param options more settings, as the start-up parameter of this name
 * @throws Error with one line for the operator, without the password, if the database cannot be used
 */
export function withMigrationClient<T>(
  config: Config,
  work: (client: pg.Client) => Promise<T>,
  options = '',
): Promise<T> {
  const { migrationDatabaseUrl: url } = config;
  const place = url === null ? directPlace(config) : { url, variable: 'MIGRATION_DATABASE_URL' };
  return run(work, place, {
    options: `${WITHOUT_LIMITS} ${options}`,
    silence_timeout: UNLIMITED_SILENCE_MS,
  });
}

/** The URL for sessions that keep a lock, a setting or a subscription beyond a transaction. */
export function directUrl(config: Config): string {
  return directPlace(config).url;
}

interface Place {
  readonly url: string;
  /** The name of the variable with the URL, for the error message. */
  readonly variable: string;
}

function directPlace({ directDatabaseUrl: url, databaseUrl }: Config): Place {
  return url === null
    ? { url: databaseUrl, variable: 'DATABASE_URL' }
    : { url, variable: 'DIRECT_DATABASE_URL' };
}

async function run<T>(
  work: (client: pg.Client) => Promise<T>,
  place: Place,
  config: ResilientClientConfig,
): Promise<T> {
  const client = await connected(place, config);
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connected({ url, variable }: Place, config: ResilientClientConfig): Promise<pg.Client> {
  let place = `in ${variable}`;
  try {
    const client = new ResilientClient({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...config,
    });
    place = `at ${client.host}:${client.port} (${variable})`;
    await client.connect();
    return client;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
    throw new Error(`the database ${place} cannot be used: ${why}`, { cause });
  }
}
