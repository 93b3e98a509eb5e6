import type { Config } from '@counterfoil/config';
import type { DataSourceOptions } from 'typeorm';
import { SteadyClient } from './client';
import { MIGRATIONS } from './migrations';
import { postgresTypes } from './postgres-types';

const POOL_SIZE = 20;
/** Also how long a statement waits for a connection of the pool, before the caller is told to try again. */
const CONNECT_TIMEOUT_MS = 10_000;
/** No statement of ours takes this long; one that does is stuck, and must not hold its connection for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** Who waits longer for a lock is told to try again, and frees its connection for others. */
const LOCK_TIMEOUT_MS = 5_000;

/** A process that is killed while its statement waits for a lock must not hold what it has locked itself. */
const CLIENT_CHECK_INTERVAL_MS = 500;

/**
 * The isolation is what the use cases count on: what is read under a lock is what stands there once the lock is there,
 * whatever the database's own default is.
 */
const SESSION_SETTINGS =
  `-c client_connection_check_interval=${CLIENT_CHECK_INTERVAL_MS} ` +
  '-c default_transaction_isolation=read\\ committed';

/** How every process connects. Entities are added by the contexts' modules; the schema comes from migrations alone. */
export function dataSourceOptions(config: Config, applicationName: string): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.databaseUrl,
    applicationName,
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    extra: {
      Client: SteadyClient,
      types: postgresTypes,
      keepAlive: true,
      options: SESSION_SETTINGS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
  };
}
