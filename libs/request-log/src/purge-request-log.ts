import { Config } from '@counterfoil/config';
import { purgeInBatches, Sql } from '@counterfoil/database';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { PURGE } from './request-log.sql';

/** Deletes requests that are older than `REQUEST_LOG_RETENTION`. */
@Injectable()
export class PurgeRequestLog {
  constructor(
    private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** @param signal stops the purge after the current batch */
  execute(signal: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.requestLogRetentionMs);
    return purgeInBatches((batch) => this.sql.rows(PURGE, { before, batch }), signal);
  }
}
