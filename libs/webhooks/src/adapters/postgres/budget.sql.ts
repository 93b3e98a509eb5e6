import { statement } from '@counterfoil/database';
import type { BudgetCharge } from '../../application/ports/budget.repository';
import type { ClaimedDelivery } from '../../application/ports/delivery.repository';

interface Charges {
  readonly charges: readonly BudgetCharge[];
  readonly day: string;
}

/** A separate statement, so that the next one sees the rows of all committed transactions. */
export const OPEN_DAY = statement<Charges>(
  'webhook_budgets: open day',
  `insert into webhook_budgets (company_id, day)
   select id, :day from unnest(:charges.companyId::bigint[]) as c (id) order by id on conflict do nothing`,
);

export const CHARGE = statement<
  Charges & { readonly max: number },
  { readonly companyId: number; readonly charged: number }
>(
  'webhook_budgets: charge',
  `update webhook_budgets b set used = b.used + locked.charged
     from (
       select u.company_id, greatest(0, least(c.attempts, :max - u.used)) as charged
         from webhook_budgets u
         join unnest(:charges.companyId::bigint[], :charges.attempts::int[]) as c (company_id, attempts)
           using (company_id)
        where u.day = :day order by u.company_id for update of u
     ) as locked
    where b.company_id = locked.company_id and b.day = :day
   returning b.company_id as "companyId", locked.charged`,
);

export const REFUND = statement<Charges>(
  'webhook_budgets: refund',
  `update webhook_budgets b set used = greatest(0, b.used - locked.attempts)
     from (
       select u.company_id, c.attempts
         from webhook_budgets u
         join unnest(:charges.companyId::bigint[], :charges.attempts::int[]) as c (company_id, attempts)
           using (company_id)
        where u.day = :day order by u.company_id for update of u
     ) as locked
    where b.company_id = locked.company_id and b.day = :day`,
);

export const PUT_OFF = statement<{
  readonly claims: readonly ClaimedDelivery[];
  readonly now: Date;
  readonly until: Date;
  readonly limit: number;
}>(
  'webhook_deliveries: put off',
  `with claimed as (
     select * from unnest(:claims.id::bigint[], :claims.leaseToken::uuid[], :claims.endpointId::text[])
       as c (id, token, endpoint_id)
   ), due as (
     select d.id from (select distinct endpoint_id as id from claimed) as e cross join lateral (
       select id from webhook_deliveries
        where endpoint_id = e.id and state in ('pending', 'waiting') and next_attempt_at <= :now
          and (lease_token is null or lease_until < now())
        order by next_attempt_at, id limit :limit for update skip locked) as d
   )
   update webhook_deliveries d
      set state = 'waiting', next_attempt_at = :until, lease_token = null, lease_until = null
    where d.state in ('pending', 'waiting')
      and (d.id in (select id from due) or (d.id, d.lease_token) in (select id, token from claimed))`,
);

export const PURGE = statement<{ readonly day: string; readonly batch: number }>(
  'webhook_budgets: purge',
  `delete from webhook_budgets
    where (company_id, day) in (select company_id, day from webhook_budgets where day < :day limit :batch)
    returning 1`,
);
