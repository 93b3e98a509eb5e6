import { statement } from '@counterfoil/database';
import { MONEY_MAX } from '@counterfoil/kernel';
import type { RateArrival, RevaluedUpTo } from '../../application/ports/expense-revaluation';
import { RATE_AGE_DAYS_MAX } from '../../domain/exchange-rate';
import type { Expense } from '../../domain/expense';
import { EXPENSE_COLUMNS } from './expense-columns';
import { shekelsSql } from './in-shekels-sql';

interface Ids {
  readonly ids: readonly number[];
}

const ARRIVAL = `
  select id, company_id as owner, currency, from_date as "fromDate", to_date as "toDate",
         case when done_date is not null then json_build_object('date', done_date, 'companyId', done_company_id,
           'expenseId', done_expense_id) end as "upTo"
    from rate_arrivals`;

export const TAKE = {
  given: statement<Ids, RateArrival>(
    'rate_arrivals: take given',
    `${ARRIVAL} where id = any (:ids) order by id limit 1 for update`,
  ),
  next: statement<{ readonly behindId: number }, RateArrival>(
    'rate_arrivals: take next',
    `${ARRIVAL} where id > :behindId order by id limit 1 for update skip locked`,
  ),
};

/** True if an expense was converted with an older rate than the applicable one, or with none. */
const IS_OUTDATED = '(e.exchange_rate_date is null or e.exchange_rate_date < r.date)';

/** The next expenses in the order of the index expenses_foreign, including those that need no conversion. */
export const LOOK = statement<
  { readonly arrival: RateArrival; readonly limit: number },
  RevaluedUpTo & { readonly isDue: boolean }
>(
  'expenses: look for outdated',
  `with looked as materialized (
     select e.id, e.company_id, e.currency, e.date, e.exchange_rate_date from expenses e
      where e.currency = :arrival.currency and e.currency <> 'ILS'
        and e.date between :arrival.fromDate::date and :arrival.toDate::date + ${RATE_AGE_DAYS_MAX}
        and (:arrival.owner::bigint is null or e.company_id = :arrival.owner)
        and (e.date, e.company_id, e.id) > (coalesce(:arrival.upTo.date, :arrival.fromDate),
          coalesce(:arrival.upTo.companyId::bigint, 0), coalesce(:arrival.upTo.expenseId::bigint, 0))
      order by e.date, e.company_id, e.id limit :limit
   )
   select e.date, e.company_id as "companyId", e.id as "expenseId", coalesce(${IS_OUTDATED}, false) as "isDue"
     from looked e left join lateral rate_on(e.company_id, e.currency, e.date) r on true
    order by e.date, e.company_id, e.id`,
);

export const LOCK = statement<Ids>(
  'expenses: lock outdated',
  'select from expenses where id = any (:ids) order by id for no key update',
);

/**
 * The table occurs once, so there is no join whose plan depends on statistics. After a mass insert these may
 * still describe an empty table, and a join of the expenses with themselves would then compare all pairs.
 */
export const CONVERT = statement<Ids & { readonly now: Date }, Expense>(
  'expenses: convert',
  `update expenses e
      set (total_in_ils, exchange_rate, exchange_rate_unit, exchange_rate_date, updated_at) = (
            select case when r.shekels <= ${MONEY_MAX} then r.shekels end, r.rate, r.unit, r.date,
                   -- Later than the time of all previous events, like datedAfter.
                   greatest(:now, e.updated_at + interval '1 millisecond')
              from (select r.*, ${shekelsSql('e.total')} as shekels
                      from rate_on(e.company_id, e.currency, e.date) r) r)
    where e.id = any (:ids)
      and exists (select from rate_on(e.company_id, e.currency, e.date) r where ${IS_OUTDATED})
   returning ${EXPENSE_COLUMNS}`,
);

export const PROCEED = statement<{ readonly arrivalId: number; readonly upTo: RevaluedUpTo }>(
  'rate_arrivals: proceed',
  `update rate_arrivals
      set done_date = :upTo.date, done_company_id = :upTo.companyId, done_expense_id = :upTo.expenseId
    where id = :arrivalId`,
);

export const FORGET = statement<{ readonly arrivalId: number }>(
  'rate_arrivals: forget',
  'delete from rate_arrivals where id = :arrivalId',
);
