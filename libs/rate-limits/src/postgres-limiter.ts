import type { SteadyPool } from '@counterfoil/database';
import { type IRateLimiterStoreOptions, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const NOW_MS = '(extract(epoch from now()) * 1000)::bigint';

/** Prepared, since it runs for nearly every request. */
const COUNT = {
  name: 'count a request',
  text: `
    insert into rate_limit_counters as c (key, points, expire) values ($1, $2, ${NOW_MS} + $3)
    on conflict (key) do update set
      points = case when c.expire <= ${NOW_MS} then excluded.points else c.points + excluded.points end,
      expire = case when c.expire <= ${NOW_MS} then excluded.expire else c.expire end
    returning points, (expire - ${NOW_MS})::float8 as "leftMs"`,
};

interface Counted {
  readonly points: number;
  /** Until the window ends. */
  readonly leftMs: number;
}

/**
 * Windows by the clock of the database. The library judges them by that of the process: where two differ by more than a
 * window, each takes the windows of the other for ended. These two methods are where it counts and reads what it counted.
 */
export class PostgresLimiter extends RateLimiterPostgres {
  constructor(
    options: Omit<IRateLimiterStoreOptions, 'storeClient'>,
    private readonly pool: SteadyPool,
  ) {
    super({
      ...options,
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit_counters',
      keyPrefix: '',
      tableCreated: true,
      // By PurgeRateCounters, in batches.
      clearExpiredByTimeout: false,
    });
  }

  protected async _upsert(key: string, points: number, windowMs: number): Promise<Counted> {
    const { rows } = await this.pool.query<Counted>({ ...COUNT, values: [key, points, windowMs] });
    if (!rows[0]) throw new Error('nothing was counted');
    return rows[0];
  }

  protected _getRateLimiterRes(_key: string, counted: number, { points, leftMs }: Counted): RateLimiterRes {
    const remaining = Math.max(0, this.points - points);
    return new RateLimiterRes(remaining, Math.max(0, leftMs), points, points === counted);
  }
}
