import { statement } from '@counterfoil/database';

const NOW_MS = '(extract(epoch from now()) * 1000)::bigint';

/** Runs for nearly every request. */
export const COUNT = statement<
  { readonly key: string; readonly points: number; readonly windowMs: number },
  {
    readonly points: number;
    /** Milliseconds until the window ends. */
    readonly leftMs: number;
  }
>(
  'rate_limit_counters: count',
  `insert into rate_limit_counters as c (key, points, expire) values (:key, :points, ${NOW_MS} + :windowMs)
   on conflict (key) do update set
     points = case when c.expire <= ${NOW_MS} then excluded.points else c.points + excluded.points end,
     expire = case when c.expire <= ${NOW_MS} then excluded.expire else c.expire end
   returning points, (expire - ${NOW_MS})::float8 as "leftMs"`,
  { prepared: true },
);

export const PURGE = statement<{ readonly nowMs: number; readonly batch: number }>(
  'rate_limit_counters: purge',
  `delete from rate_limit_counters
    where key in (select key from rate_limit_counters where expire < :nowMs limit :batch for update skip locked)
   returning 1`,
);
