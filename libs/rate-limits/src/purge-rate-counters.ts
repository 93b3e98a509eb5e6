import { purgeInBatches, Sql } from '@counterfoil/database';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';

/** Removes counters whose window has ended from PostgreSQL; Redis forgets them by itself. */
@Injectable()
export class PurgeRateCounters {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** @param signal ends it after the batch that runs */
  execute(signal: AbortSignal): Promise<void> {
    return purgeInBatches(
      (batch) =>
        this.sql.rows(
          `delete from rate_limit_counters
            where key in (select key from rate_limit_counters where expire < $1 limit $2 for update skip locked)
            returning 1`,
          [this.clock.now().getTime(), batch],
        ),
      signal,
    );
  }
}
