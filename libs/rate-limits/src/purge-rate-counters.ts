import { purgeInBatches, Sql } from '@counterfoil/database';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { PURGE } from './rate-counters.sql';

/** Deletes expired counters from PostgreSQL. Redis expires them itself. */
@Injectable()
export class PurgeRateCounters {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** @param signal stops the purge after the current batch */
  execute(signal: AbortSignal): Promise<void> {
    return purgeInBatches(
      (batch) => this.sql.rows(PURGE, { nowMs: this.clock.now().getTime(), batch }),
      signal,
    );
  }
}
