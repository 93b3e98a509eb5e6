import { purgeInBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { RetentionRepository } from '../../application/ports/retention.repository';
import { FIND_REFERRED_TO, PURGE_ENDPOINTS, PURGE_PAGE, PURGE_REDELIVERIES } from './retention.sql';

const BATCH = 1_000;

@Injectable()
export class PostgresRetentionRepository extends RetentionRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  /** Goes once along the primary key, so that what stays is passed only once. */
  override async purgeDeliveries(before: Date, signal: AbortSignal): Promise<number> {
    let purged = 0;
    for (let after = 0; ;) {
      const page = await this.sql.only(PURGE_PAGE, { after, before, batch: BATCH });
      purged += page.purged;
      if (signal.aborted || !page.last || !page.youngest || page.youngest >= before) return purged;
      after = page.last;
    }
  }

  override async purgeEndpoints(before: Date, signal: AbortSignal): Promise<void> {
    for (const purge of [PURGE_REDELIVERIES, PURGE_ENDPOINTS])
      await purgeInBatches((batch) => this.sql.rows(purge, { before, batch }), signal);
  }

  override async referredTo(eventIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.sql.rows(FIND_REFERRED_TO, { eventIds });
    return new Set(rows.map(({ id }) => id));
  }
}
