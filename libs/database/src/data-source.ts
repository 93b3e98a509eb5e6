import type { Config } from '@counterfoil/config';
import type { DataSourceOptions } from 'typeorm';
import { KEEP_ALIVE, SESSION_SETTINGS, SteadyClient } from './client';
import { CONNECT_TIMEOUT_MS, fairDriver, POOL_SIZE } from './fair-pool';
import { postgresTypes } from './postgres-types';

/**
 * No statement of a job or a command takes this long; one that does is stuck, and must not hold its connection. Twice
 * the time in which work must go on after the network was silent: TCP sends a lost packet again after as long as it was
 * lost, unless the connection was given up before.
 */
const STATEMENT_TIMEOUT_MS = 15_000;
/** For commands that a person has started, and may end. */
export const NO_LIMIT = 0;
/** The database is out of reach when nothing comes for this long after it should have cancelled a statement. */
const SILENCE_BEYOND_MS = 2_000;
/** Between two statements of a transaction nothing is waited for. Its locks go, though its process is out of reach. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** Who waits longer for a lock is told to try again, and frees its connection for others. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * How every process connects. Entities are added by the contexts' modules; the schema comes from migrations alone, see `migrateDatabase`.
 *
 * @param statementTimeoutMs PostgreSQL cancels a statement that takes longer, unless it is `NO_LIMIT`
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
      Client: SteadyClient,
      types: postgresTypes,
      ...KEEP_ALIVE,
      options: SESSION_SETTINGS,
      statement_timeout: statementTimeoutMs,
      ...(statementTimeoutMs !== NO_LIMIT && { silence_timeout: statementTimeoutMs + SILENCE_BEYOND_MS }),
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
  };
}
