import { Migration, type QueryRunner } from '@counterfoil/database';

/** The counters of rate limits, which all processes share where there is no Redis. */
export class RateLimits1795474800000 extends Migration {
  override readonly name = 'RateLimits1795474800000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      // As rate-limiter-flexible writes it, by position. Not logged: a crash may forget what was counted. Half of each
      // page is left free, so that a counter is replaced where it stands and its index is not touched.
      `create unlogged table rate_limit_counters (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      ) with (fillfactor = 50)`,
    );
    // For the purge of counters whose window has ended.
    await runner.query('create index rate_limit_counters_expire on rate_limit_counters (expire)');
  }
}
