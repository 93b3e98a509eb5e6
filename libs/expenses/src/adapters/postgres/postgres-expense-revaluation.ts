import { managerOf } from '@counterfoil/database';
import { Clock, MONEY_MAX, type PlainDate, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  ExpenseRevaluation,
  type RateArrival,
  type RevaluedBatch,
  type RevaluedUpTo,
} from '../../application/ports/expense-revaluation';
import { RATE_AGE_DAYS_MAX } from '../../domain/exchange-rate';
import type { Expense } from '../../domain/expense';
import { EXPENSE_COLUMNS } from './expense-columns';
import { shekelsSql } from './in-shekels-sql';

const ARRIVAL = `select id, company_id as owner, currency, from_date as "fromDate", to_date as "toDate",
  done_date as "doneDate", done_company_id as "doneCompanyId", done_expense_id as "doneExpenseId"
  from rate_arrivals`;
const NEXT_ARRIVAL = `${ARRIVAL} where id > $1 order by id limit 1 for update skip locked`;
const NEXT_ARRIVAL_OF = `${ARRIVAL} where id = any ($1) order by id limit 1 for update`;

/** What an expense was converted with is older than what counts now, or nothing at all. */
const IS_OUTDATED = '(e.exchange_rate_date is null or e.exchange_rate_date < r.date)';

/** The next expenses in the order of the index expenses_foreign, whether there is anything to do for them or not. */
const LOOK = `
  with looked as materialized (
    select e.id, e.company_id, e.currency, e.date, e.exchange_rate_date from expenses e
     where e.currency = $1 and e.currency <> 'ILS'
       and e.date between $2::date and $3::date + ${RATE_AGE_DAYS_MAX}
       and ($4::bigint is null or e.company_id = $4)
       and (e.date, e.company_id, e.id) > ($5::date, $6::bigint, $7::bigint)
     order by e.date, e.company_id, e.id limit $8
  )
  select e.id, e.company_id as "companyId", e.date, coalesce(${IS_OUTDATED}, false) as "isDue"
    from looked e left join lateral rate_on(e.company_id, e.currency, e.date) r on true
   order by e.date, e.company_id, e.id`;

const LOCK = 'select id from expenses where id = any ($1) order by id for no key update';

const CONVERT = `
  update expenses e
     set total_in_ils = case when r.shekels <= $3 then r.shekels end, exchange_rate = r.rate,
         exchange_rate_unit = r.unit, exchange_rate_date = r.date,
         -- Later than what was told of it before, as by datedAfter.
         updated_at = greatest($2, e.updated_at + interval '1 millisecond')
    from (select e.id, r.rate, r.unit, r.date, ${shekelsSql('e.total')} as shekels
            from expenses e cross join lateral rate_on(e.company_id, e.currency, e.date) r
           where e.id = any ($1) and ${IS_OUTDATED}) r
   where e.id = r.id
  returning ${EXPENSE_COLUMNS}`;

interface ArrivalRow extends Omit<RateArrival, 'upTo'> {
  readonly doneDate: PlainDate | null;
  readonly doneCompanyId: number;
  readonly doneExpenseId: number;
}

interface LookedRow {
  readonly id: number;
  readonly companyId: number;
  readonly date: PlainDate;
  readonly isDue: boolean;
}

@Injectable()
export class PostgresExpenseRevaluation extends ExpenseRevaluation {
  constructor(private readonly clock: Clock) {
    super();
  }

  override async take(
    tx: Transaction,
    which: { readonly ids: readonly number[] } | { readonly behindId: number },
  ): Promise<RateArrival | null> {
    const [next, value] = 'ids' in which ? [NEXT_ARRIVAL_OF, which.ids] : [NEXT_ARRIVAL, which.behindId];
    const [row] = await managerOf(tx).query<ArrivalRow[]>(next, [value]);
    return row ? arrivalOf(row) : null;
  }

  override async revalue(tx: Transaction, arrival: RateArrival, limit: number): Promise<RevaluedBatch> {
    const { owner, currency, fromDate, toDate, upTo } = arrival;
    const after = [upTo?.date ?? fromDate, upTo?.companyId ?? 0, upTo?.expenseId ?? 0];
    const asked = [currency, fromDate, toDate, owner, ...after, limit];
    const looked = await managerOf(tx).query<LookedRow[]>(LOOK, asked);
    const due = looked.filter(({ isDue }) => isDue).map(({ id }) => id);
    const last = looked.length === limit ? looked.at(-1) : undefined;
    return {
      revalued: due.length === 0 ? [] : await this.convert(tx, due),
      upTo: last ? { date: last.date, companyId: last.companyId, expenseId: last.id } : null,
    };
  }

  override async proceed(tx: Transaction, arrivalId: number, upTo: RevaluedUpTo | null): Promise<void> {
    const manager = managerOf(tx);
    if (!upTo) {
      await manager.query('delete from rate_arrivals where id = $1', [arrivalId]);
      return;
    }
    await manager.query(
      `update rate_arrivals set done_date = $2, done_company_id = $3, done_expense_id = $4 where id = $1`,
      [arrivalId, upTo.date, upTo.companyId, upTo.expenseId],
    );
  }

  /** Once they are locked, a statement of its own sees them as they are, and the rates that count for them as such. */
  private async convert(tx: Transaction, ids: readonly number[]): Promise<Expense[]> {
    const manager = managerOf(tx);
    await manager.query(LOCK, [ids]);
    const [expenses] = await manager.query<[Expense[], number]>(CONVERT, [ids, this.clock.now(), MONEY_MAX]);
    return expenses;
  }
}

function arrivalOf({ doneDate, doneCompanyId, doneExpenseId, ...arrival }: ArrivalRow): RateArrival {
  if (doneDate === null) return { ...arrival, upTo: null };
  return { ...arrival, upTo: { date: doneDate, companyId: doneCompanyId, expenseId: doneExpenseId } };
}
