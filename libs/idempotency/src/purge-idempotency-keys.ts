import { Config } from '@counterfoil/config';
import { purgeInBatches, Sql } from '@counterfoil/database';
import { Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { PURGE } from './idempotency.sql';

/** Deletes responses older than `IDEMPOTENCY_KEY_RETENTION` (contract §9.8). */
@Injectable()
export class PurgeIdempotencyKeys {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @param signal stops the purge after the current batch */
  async execute(signal: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - this.config.idempotencyKeyRetentionMs);
    await purgeInBatches((batch) => this.sql.rows(PURGE, { before, batch }), signal);
  }
}
