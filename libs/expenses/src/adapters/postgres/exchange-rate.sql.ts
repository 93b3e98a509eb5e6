import { advisoryLock, type RowOf, statement } from '@counterfoil/database';
import type { PlainDate } from '@counterfoil/kernel';
import type { RateOwner } from '../../application/ports/exchange-rates';
import type { BegunLook } from '../../application/ports/rate-poll-state';
import type { CountingRate, DayRate } from '../../domain/exchange-rate';

interface Saving {
  readonly owner: RateOwner;
  readonly now: Date;
}

/** Replaces the company id in the lock of the published rates. */
const EVERY_COMPANY = '0';
const shared = (owner: string) => advisoryLock('pg_advisory_xact_lock_shared', 'exchange rates', owner);

export const SHARE_LOCK = statement<{ readonly companyId: number }>(
  'exchange_rates: share lock',
  `select ${shared(EVERY_COMPANY)}, ${shared(':companyId')}`,
  { prepared: true },
);

export const LOCK_ALONE = statement<Pick<Saving, 'owner'>>(
  'exchange_rates: lock alone',
  `select ${advisoryLock('pg_advisory_xact_lock', 'exchange rates', `coalesce(:owner::bigint, ${EVERY_COMPANY})`)}`,
);

const plain = (what: string, text: string) => statement<object>(`exchange_rates: ${what}`, text);

/** Limits the wait for a lock. After a timeout the transaction continues. */
export const WAIT = {
  begin: plain('begin wait', 'savepoint before_lock'),
  limit: plain('limit wait', `set local lock_timeout = '250ms'`),
  end: plain('end wait', 'set local lock_timeout to default'),
  undo: plain('undo wait', 'rollback to savepoint before_lock'),
};

export const RATE_ON = statement<
  { readonly companyId: number; readonly currency: string; readonly date: PlainDate },
  CountingRate
>('exchange_rates: on a day', 'select rate, unit, date from rate_on(:companyId, :currency, :date)', {
  prepared: true,
});

/** `fromDate` and `toDate` are the first and last day of the added rates; null if none was added. */
export const SAVE = statement<
  Saving & { readonly rates: readonly DayRate[] },
  {
    readonly currency: string;
    readonly added: number;
    readonly revised: number;
    readonly fromDate: PlainDate | null;
    readonly toDate: PlainDate | null;
  }
>(
  'exchange_rates: save',
  `with saved as (
     insert into exchange_rates (company_id, currency, date, rate, unit, created_at, updated_at)
     select :owner::bigint, r.*, :now::timestamptz, :now
       from unnest(:rates.currency::text[], :rates.date::date[], :rates.rate::numeric[], :rates.unit::integer[])
         as r (currency, date, rate, unit)
         on conflict on constraint exchange_rates_day do update
        set rate = excluded.rate, unit = excluded.unit, updated_at = excluded.updated_at
      where (exchange_rates.rate, exchange_rates.unit) is distinct from (excluded.rate, excluded.unit)
     -- xmax is set for an updated row, and 0 for a new one.
     returning currency, date, xmax = 0 as is_new
   )
   select currency, count(*) filter (where is_new) as added, count(*) filter (where not is_new) as revised,
          min(date) filter (where is_new) as "fromDate", max(date) filter (where is_new) as "toDate"
     from saved group by currency order by currency`,
);

/**
 * Extends the period of a queue entry that has not been started, because every batch of an import adds rates
 * of the same currencies.
 */
export const ARRIVE = statement<
  Saving & { readonly came: readonly RowOf<typeof SAVE>[] },
  { readonly id: number }
>(
  'rate_arrivals: arrive',
  `with came as (
     select * from unnest(:came.currency::text[], :came.fromDate::date[], :came.toDate::date[])
       as c (currency, from_date, to_date)
   ), waiting as (
     select id, currency from rate_arrivals
      where company_id is not distinct from :owner::bigint and currency = any (:came.currency) and done_date is null
        for update skip locked
   ), widened as (
     update rate_arrivals a
        set from_date = least(a.from_date, c.from_date), to_date = greatest(a.to_date, c.to_date)
       from waiting w join came c on c.currency = w.currency where a.id = w.id
     returning a.id
   ), opened as (
     insert into rate_arrivals (company_id, currency, from_date, to_date, created_at)
     select :owner, c.currency, c.from_date, c.to_date, :now from came c
      where not exists (select from waiting w where w.currency = c.currency)
     returning id
   )
   select id from widened union all select id from opened`,
);

interface Look {
  readonly source: string;
  readonly day: PlainDate;
}

export const BEGIN_LOOK = statement<
  Look & { readonly now: Date; readonly unlessBegunAfter: Date },
  BegunLook
>(
  'published_rate_looks: begin',
  `insert into published_rate_looks as l (source, attempted_at) values (:source, :now)
       on conflict (source) do update set attempted_at = excluded.attempted_at
    where (l.looked_on is null or l.looked_on < :day) and l.attempted_at <= :unlessBegunAfter
   returning looked_on as "lookedOn"`,
);

export const END_LOOK = statement<Look>(
  'published_rate_looks: end',
  'update published_rate_looks set looked_on = :day where source = :source',
);
