import type { Config } from '@counterfoil/config';
import type { DataSourceOptions } from 'typeorm';
import { KEEP_ALIVE, ResilientClient, SESSION_SETTINGS, UNLIMITED_SILENCE_MS } from './resilient-client';
import { CONNECT_TIMEOUT_MS, fairDriver, POOL_SIZE } from './fair-pool';
import { postgresTypes } from './postgres-types';

/**
 * Default for jobs and commands: a statement that runs longer is stuck and must not keep its connection. It
 * is twice the time of a network interruption that work must survive, because TCP retransmits a lost packet
 * only after as long as the interruption lasted.
 */
const STATEMENT_TIMEOUT_MS = 15_000;
/** For commands that a person starts and can stop. */
export const NO_LIMIT = 0;
/**
 * If nothing arrives for this long after the server should have cancelled a statement, the database counts as
 * unreachable.
 */
const SILENCE_BEYOND_MS = 2_000;
/**
 * A transaction never waits for anything but the database. This releases the locks of a process that is
 * unreachable.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** A caller that waits longer for a lock is told to retry, which frees its connection. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * The connection options of every process. The modules of the contexts add entities. Only migrations change
 * the schema, see `migrateDatabase`.
 *
 * @param statementTimeoutMs PostgreSQL cancels longer statements, unless it is `NO_LIMIT`
 */
export function dataSourceOptions(
  config: Config,
  applicationName: string,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): DataSourceOptions {
  return {
    type: 'postgres',
    driver: fairDriver,
    url: config.databaseUrl,
    applicationName,
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    synchronize: false,
    logging: false,
    extra: {
      Client: ResilientClient,
      types: postgresTypes,
      ...KEEP_ALIVE,
      options: SESSION_SETTINGS,
      statement_timeout: statementTimeoutMs,
      silence_timeout:
        statementTimeoutMs === NO_LIMIT ? UNLIMITED_SILENCE_MS : statementTimeoutMs + SILENCE_BEYOND_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  };
}
