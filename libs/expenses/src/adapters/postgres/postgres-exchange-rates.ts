import { setTimeout as sleep } from 'node:timers/promises';
import { advisoryLock, isLockTimeout, managerOf, runPrepared, Sql } from '@counterfoil/database';
import { AppError, type PlainDate, type Transaction } from '@counterfoil/kernel';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  ExchangeRates,
  type RateFilter,
  type RateOwner,
  type RateRow,
  type SavedRates,
} from '../../application/ports/exchange-rates';
import type { CountingRate, DayRate } from '../../domain/exchange-rate';
import { RATES } from './exchange-rate.list';

/** In the place of a company's id: the lock of the published rates. */
const EVERY_COMPANY = 0;

/** For so long others wait behind whoever saves rates, and then not for twice as long. */
const LOCK_PATIENCE_MS = 250;
const LOCK_PAUSE_MS = 500;
const LOCK_ATTEMPTS_MAX = 12;

const shared = (owner: string) => advisoryLock('pg_advisory_xact_lock_shared', 'exchange rates', owner);
const LOCK = {
  name: 'exchange_rates_lock',
  text: `select ${shared(`${EVERY_COMPANY}`)}, ${shared('$1')}`,
};
const LOCK_ALONE = `select ${advisoryLock('pg_advisory_xact_lock', 'exchange rates', '$1')}`;
const RATE_ON = { name: 'exchange_rate_on', text: 'select rate, unit, date from rate_on($1, $2, $3)' };

const SAVE = `
  with saved as (
    insert into exchange_rates (company_id, currency, date, rate, unit, created_at, updated_at)
    select $1::bigint, r.*, $6::timestamptz, $6
      from unnest($2::text[], $3::date[], $4::numeric[], $5::integer[]) as r (currency, date, rate, unit)
        on conflict on constraint exchange_rates_day do update
       set rate = excluded.rate, unit = excluded.unit, updated_at = excluded.updated_at
     where (exchange_rates.rate, exchange_rates.unit) is distinct from (excluded.rate, excluded.unit)
    -- A row that was there before has a transaction that took it.
    returning currency, date, xmax = 0 as is_new
  )
  select currency, count(*) filter (where is_new) as added, count(*) filter (where not is_new) as revised,
         min(date) filter (where is_new) as "fromDate", max(date) filter (where is_new) as "toDate"
    from saved group by currency order by currency`;

/** What waits already and has not been begun is widened: an import brings the same currencies in every batch. */
const ARRIVE = `
  with came as (
    select * from unnest($2::text[], $3::date[], $4::date[]) as c (currency, from_date, to_date)
  ), waiting as (
    select id, currency from rate_arrivals
     where company_id is not distinct from $1::bigint and currency = any ($2) and done_date is null
       for update skip locked
  ), widened as (
    update rate_arrivals a
       set from_date = least(a.from_date, c.from_date), to_date = greatest(a.to_date, c.to_date)
      from waiting w join came c on c.currency = w.currency where a.id = w.id
    returning a.id
  ), opened as (
    insert into rate_arrivals (company_id, currency, from_date, to_date, created_at)
    select $1, c.currency, c.from_date, c.to_date, $5 from came c
     where not exists (select from waiting w where w.currency = c.currency)
    returning id
  )
  select id from widened union all select id from opened`;

const NEWEST = { by: 'newest', descending: true } as const;

interface SavedCurrency {
  readonly currency: string;
  readonly added: number;
  readonly revised: number;
  /** Null when none is new. */
  readonly fromDate: PlainDate | null;
  readonly toDate: PlainDate | null;
}

@Injectable()
export class PostgresExchangeRates extends ExchangeRates {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async lock(tx: Transaction, companyId: number): Promise<void> {
    await runPrepared(tx, LOCK, [companyId]);
  }

  override async rateOn(
    tx: Transaction,
    companyId: number,
    currency: string,
    date: PlainDate,
  ): Promise<CountingRate | null> {
    const [found] = await runPrepared<CountingRate>(tx, RATE_ON, [companyId, currency, date]);
    return found ?? null;
  }

  override async save(
    tx: Transaction,
    owner: RateOwner,
    rates: readonly DayRate[],
    now: Date,
  ): Promise<SavedRates> {
    const manager = managerOf(tx);
    await lockAlone(manager, owner);
    const saved = await manager.query<SavedCurrency[]>(SAVE, [
      owner,
      rates.map(({ currency }) => currency),
      rates.map(({ date }) => date),
      rates.map(({ rate }) => rate),
      rates.map(({ unit }) => unit),
      now,
    ]);
    const came = saved.filter(({ added }) => added > 0);
    const arrivals = await manager.query<{ id: number }[]>(ARRIVE, [
      owner,
      came.map(({ currency }) => currency),
      came.map(({ fromDate }) => fromDate),
      came.map(({ toDate }) => toDate),
      now,
    ]);
    return {
      added: saved.reduce((sum, { added }) => sum + added, 0),
      revised: saved.reduce((sum, { revised }) => sum + revised, 0),
      arrivalIds: arrivals.map(({ id }) => id),
    };
  }

  override list(companyId: number, filter: RateFilter, page: PageRequest): Promise<Page<RateRow>> {
    return readPage(this.sql, new ListSql(RATES, companyId, { filter, sort: NEWEST }), page);
  }
}

/**
 * Takes the lock of the rates alone. Whoever comes to share it waits behind who waits to have it alone; so that is done a
 * moment at a time, and one who shares it and has hung up holds up nobody else.
 */
async function lockAlone(manager: EntityManager, owner: RateOwner): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await manager.query('savepoint before_lock');
    try {
      await manager.query(`set local lock_timeout = '${LOCK_PATIENCE_MS}ms'`);
      await manager.query(LOCK_ALONE, [owner ?? EVERY_COMPANY]);
      await manager.query('set local lock_timeout to default');
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await manager.query('rollback to savepoint before_lock');
      if (attempt === LOCK_ATTEMPTS_MAX) throw busy(error);
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

function busy(cause: unknown): AppError {
  const message = 'somebody has been writing expenses for too long; nothing was saved by this, try again';
  return new AppError('UNAVAILABLE', message, { retryAfterSeconds: 5, cause });
}
