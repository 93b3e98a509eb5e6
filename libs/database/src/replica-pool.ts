import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { REQUESTS_MAX } from './fair-pool';
import { postgresTypes } from './postgres-types';
import { ResilientPool } from './resilient-client';
import { WAITING_LIMITS } from './session-settings';

const CONNECT_TIMEOUT_MS = 1_000;
/** A page consists of three statements at most. A slower one is read from the primary, with its own time limit. */
const STATEMENT_TIMEOUT_MS = 1_500;
/** Then the standby should have cancelled the statement, and is silent. */
const SILENCE_BEYOND_MS = 500;

/** The connections of this process to the standby. */
@Injectable()
export class ReplicaPool implements OnApplicationShutdown {
  readonly pool: ResilientPool;

  constructor(url: string, applicationName: string) {
    this.pool = new ResilientPool({
      connectionString: url,
      application_name: applicationName,
      max: REQUESTS_MAX,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      types: postgresTypes,
      ...WAITING_LIMITS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      silence_timeout: STATEMENT_TIMEOUT_MS + SILENCE_BEYOND_MS,
      is_standby: true,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
