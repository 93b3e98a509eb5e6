import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds exchange rates, and the queue of rates with which expenses are still to be converted. */
export class ExchangeRates1795438800000 extends Migration {
  override readonly name = 'ExchangeRates1795438800000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table exchange_rates (
    id bigint generated always as identity primary key,
    -- Null: published, for every company.
    company_id bigint references companies,
    currency text collate "C" not null,
    date date not null,
    -- Shekels for so many units of the currency: what is published for 100 yen is kept with all of its decimals.
    rate numeric(14,4) not null constraint exchange_rates_rate check (rate > 0),
    unit integer not null default 1 constraint exchange_rates_unit check (unit > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint exchange_rates_day unique nulls not distinct (company_id, currency, date)
  )`,
  // The list merges a company's own rates with the published ones. Each set has an index in the order of the
  // list.
  `create index exchange_rates_own on exchange_rates (company_id, date desc, currency, id)
    where company_id is not null`,
  `create index exchange_rates_published on exchange_rates (date desc, currency, id) where company_id is null`,
  `create index exchange_rates_published_currency on exchange_rates (currency, date desc, id)
    where company_id is null`,
  // Queue of new rates for which expenses must be checked. Each entry is processed in the order of the index
  // expenses_foreign, and stores its progress.
  `create table rate_arrivals (
    id bigint generated always as identity primary key,
    company_id bigint references companies,
    currency text collate "C" not null,
    from_date date not null,
    to_date date not null,
    done_date date,
    done_company_id bigint,
    done_expense_id bigint,
    created_at timestamptz not null
  )`,
  // The time of the last poll of the source of published rates.
  `create table published_rate_looks (
    source text primary key,
    attempted_at timestamptz not null,
    -- The last day whose look has succeeded.
    looked_on date
  )`,
  // The applicable rate: the last one on or before a day, at most 10 days old. On the same day, the company's
  // own rate takes precedence over the published one. Each part reads one index entry.
  `create function rate_on(of_company bigint, of_currency text, on_date date)
   returns table (rate numeric, unit integer, date date)
   language sql stable as $$
     select r.rate, r.unit, r.date
       from ((select e.rate, e.unit, e.date, 1 as priority from exchange_rates e
               where e.company_id = of_company and e.currency = of_currency
                 and e.date between on_date - 10 and on_date
               order by e.date desc limit 1)
             union all
             (select e.rate, e.unit, e.date, 2 from exchange_rates e
               where e.company_id is null and e.currency = of_currency
                 and e.date between on_date - 10 and on_date
               order by e.date desc limit 1)) r
      order by r.date desc, r.priority limit 1
   $$`,
];
