import { Migration, type QueryRunner } from '@counterfoil/database';

/** The counters of rate limits, which processes share if there is no Redis. */
export class RateLimits1795474800000 extends Migration {
  override readonly name = 'RateLimits1795474800000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      // The columns that rate-limiter-flexible expects, in its order. Unlogged: a crash may lose counters. Half
      // of each page is left free for HOT updates, which do not touch the index.
      `create unlogged table rate_limit_counters (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      ) with (fillfactor = 50)`,
    );
    // For the purge of expired counters.
    await runner.query('create index rate_limit_counters_expire on rate_limit_counters (expire)');
  }
}
