import type pg from 'pg';

/** A killed process whose statement waits for a lock must release its own locks. */
const CLIENT_CHECK_INTERVAL_MS = 500;
/** The server also drops a client that does not acknowledge packets for this long. */
const TCP_USER_TIMEOUT_MS = 15_000;
/** Without unacknowledged packets, that timeout does not apply, so the server probes idle connections. */
const SERVER_KEEP_ALIVE_S = { idle: 20, interval: 5 };
/** The limits of every connection besides that of a statement, in ms. */
export const WAITING_LIMITS = {
  /** A caller that waits longer for a lock is told to retry, which frees its connection. */
  lock_timeout: 5_000,
  /**
   * A transaction never waits for anything but the database. This releases the locks of a process that is
   * unreachable.
   */
  idle_in_transaction_session_timeout: 10_000,
};

/** All time limits, as settings that mean none. */
export const NO_LIMITS = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };

/**
 * The settings of every connection, whatever the defaults of the database and the role are. Use cases rely on read
 * committed isolation: a read under a lock sees the state after the lock was granted. Values are read as texts in the
 * formats of ISO.
 */
const SETTINGS = {
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  client_connection_check_interval: CLIENT_CHECK_INTERVAL_MS,
  tcp_user_timeout: TCP_USER_TIMEOUT_MS,
  tcp_keepalives_idle: SERVER_KEEP_ALIVE_S.idle,
  tcp_keepalives_interval: SERVER_KEEP_ALIVE_S.interval,
  default_transaction_isolation: 'read committed',
  // A statement uses one process: the shares of companies count connections.
  max_parallel_workers_per_gather: 0,
};

type Settings = Readonly<Record<string, string | number>>;

/** Writes settings as the start-up parameter `options`. */
export function startUpOptions(settings: Settings): string {
  const escaped = (value: string | number) => String(value).replace(' ', '\\ ');
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(' ');
}

export const SESSION_SETTINGS = startUpOptions(SETTINGS);

/**
 * For statements that may take any time. They also override the settings of a role that has those of
 * `storedSettings`.
 */
export const WITHOUT_LIMITS = startUpOptions(NO_LIMITS);

/** The statements by which the current role sets these settings for its later sessions in this database. */
export function storedSettings(client: pg.Client, statementTimeoutMs: number): string[] {
  const settings: Settings = { ...SETTINGS, ...WAITING_LIMITS, statement_timeout: statementTimeoutMs };
  const role = `alter role current_user in database ${client.escapeIdentifier(client.database ?? '')}`;
  return Object.entries(settings).map(
    ([name, value]) => `${role} set ${name} = ${client.escapeLiteral(String(value))}`,
  );
}
