import type { RowOf, ResilientPool } from '@counterfoil/database';
import { type IRateLimiterStoreOptions, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { COUNT } from './rate-counters.sql';

type Counted = RowOf<typeof COUNT>;

/**
 * Measures windows by the clock of the database. The library would use that of the process: if the clocks of
 * two processes differed by more than a window, each would consider the other's windows as ended. It
 * overrides the two methods in which the library counts and reads the result.
 */
export class PostgresLimiter extends RateLimiterPostgres {
  constructor(
    options: Omit<IRateLimiterStoreOptions, 'storeClient'>,
    private readonly pool: ResilientPool,
  ) {
    super({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit_counters',
      keyPrefix: '',
      tableCreated: true,
      // PurgeRateCounters clears them, in batches.
      clearExpiredByTimeout: false,
    });
  }

  protected async _upsert(key: string, points: number, windowMs: number): Promise<Counted> {
    const { rows } = await this.pool.query<Counted>(COUNT.query({ key, points, windowMs }));
    if (!rows[0]) throw new Error('the statement must return one row');
    return rows[0];
  }

  protected _getRateLimiterRes(_key: string, counted: number, { points, leftMs }: Counted): RateLimiterRes {
    const remaining = Math.max(0, this.points - points);
    return new RateLimiterRes(remaining, Math.max(0, leftMs), points, points === counted);
  }
}
