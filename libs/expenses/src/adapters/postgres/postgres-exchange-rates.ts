import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout, Sql, within } from '@counterfoil/database';
import { type PlainDate, type Transaction, UnavailableError } from '@counterfoil/kernel';
import { ListSql, readPage } from '@counterfoil/lists';
import type { Page, PageRequest } from '@counterfoil/pagination';
import { Injectable } from '@nestjs/common';
import {
  ExchangeRates,
  type RateFilter,
  type RateOwner,
  type RateRow,
  type SavedRates,
} from '../../application/ports/exchange-rates';
import type { CountingRate, DayRate } from '../../domain/exchange-rate';
import { RATES } from './exchange-rate.list';
import { ARRIVE, LOCK_ALONE, RATE_ON, SAVE, SHARE_LOCK, WAIT } from './exchange-rate.sql';

/** Longer than an attempt, so that writers of expenses can take the lock in between. */
const LOCK_PAUSE_MS = 500;
const LOCK_ATTEMPTS_MAX = 12;

const NEWEST = { by: 'newest', descending: true } as const;

@Injectable()
export class PostgresExchangeRates extends ExchangeRates {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async lock(tx: Transaction, companyId: number): Promise<void> {
    await within(tx).rows(SHARE_LOCK, { companyId });
  }

  override rateOn(
    tx: Transaction,
    companyId: number,
    currency: string,
    date: PlainDate,
  ): Promise<CountingRate | null> {
    return within(tx).first(RATE_ON, { companyId, currency, date });
  }

  override async save(
    tx: Transaction,
    owner: RateOwner,
    rates: readonly DayRate[],
    now: Date,
  ): Promise<SavedRates> {
    await lockAlone(tx, owner);
    const saved = await within(tx).rows(SAVE, { owner, rates, now });
    const came = saved.filter(({ added }) => added > 0);
    const arrivals = await within(tx).rows(ARRIVE, { owner, came, now });
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
 * Acquires the exclusive lock in short attempts. A queued exclusive request blocks all new shared ones, so
 * one stuck writer would block all others.
 */
async function lockAlone(tx: Transaction, owner: RateOwner): Promise<void> {
  const statements = within(tx);
  for (let attempt = 1; ; attempt++) {
    await statements.rows(WAIT.begin, {});
    try {
      await statements.rows(WAIT.limit, {});
      await statements.rows(LOCK_ALONE, { owner });
      await statements.rows(WAIT.end, {});
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await statements.rows(WAIT.undo, {});
      if (attempt === LOCK_ATTEMPTS_MAX) throw busy(error);
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

function busy(cause: unknown): UnavailableError {
  const message = 'exchange rates are locked by other writes; nothing was saved, retry in a few seconds';
  return new UnavailableError('database_slow', message, { retryAfterSeconds: 5, cause });
}
