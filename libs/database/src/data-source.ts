import type { Config } from '@counterfoil/config';
import type { DataSourceOptions } from 'typeorm';
import { CONNECT_TIMEOUT_MS, fairDriver, POOL_SIZE } from './fair-pool';
import { clientOf } from './pooler';
import { postgresTypes } from './postgres-types';
import { directUrl, KEEP_ALIVE, ResilientClient, UNLIMITED_SILENCE_MS } from './resilient-client';
import { SESSION_SETTINGS, startUpOptions, WAITING_LIMITS } from './session-settings';

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
    applicationName,
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    synchronize: false,
    logging: false,
    ...(statementTimeoutMs === NO_LIMIT ? unlimited(config) : limited(config, statementTimeoutMs)),
  };
}

/** The sessions of a pooler have a time limit. Work without one would also keep a session that all processes share. */
function unlimited(config: Config) {
  return {
    url: directUrl(config),
    extra: {
      Client: ResilientClient,
      ...SETTINGS,
      // The driver does not send the zero that means no limit, and the role may have a limit.
      options: `${SESSION_SETTINGS} ${startUpOptions({ statement_timeout: NO_LIMIT })}`,
      silence_timeout: UNLIMITED_SILENCE_MS,
    },
  };
}

function limited(config: Config, statementTimeoutMs: number) {
  return {
    url: config.databaseUrl,
    extra: {
      Client: clientOf(config),
      ...SETTINGS,
      options: SESSION_SETTINGS,
      statement_timeout: statementTimeoutMs,
      silence_timeout: statementTimeoutMs + SILENCE_BEYOND_MS,
    },
  };
}

const SETTINGS = {
  types: postgresTypes,
  ...KEEP_ALIVE,
  ...WAITING_LIMITS,
};
