import { purgeInBatches, Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { BudgetRepository, type Charge } from '../../application/ports/budget.repository';
import type { ClaimedDelivery } from '../../application/ports/delivery.repository';

@Injectable()
export class PostgresBudgetRepository extends BudgetRepository {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async charge(
    charges: readonly Charge[],
    day: string,
    max: number,
  ): Promise<ReadonlyMap<number, number>> {
    const companyIds = charges.map(({ companyId }) => companyId);
    // A statement of its own: the next one sees the rows, whoever made them.
    await this.sql.rows(
      `insert into webhook_budgets (company_id, day)
       select id, $2 from unnest($1::bigint[]) as c (id) order by id on conflict do nothing`,
      [companyIds, day],
    );
    const rows = await this.sql.rows<{ companyId: number; charged: number }>(
      `update webhook_budgets b set used = b.used + locked.charged
         from (
           select u.company_id, greatest(0, least(c.attempts, $4 - u.used)) as charged
             from webhook_budgets u join unnest($1::bigint[], $2::int[]) as c (company_id, attempts) using (company_id)
            where u.day = $3 order by u.company_id for update of u
         ) as locked
        where b.company_id = locked.company_id and b.day = $3
       returning b.company_id as "companyId", locked.charged`,
      [companyIds, charges.map(({ attempts }) => attempts), day, max],
    );
    return new Map(rows.map(({ companyId, charged }) => [companyId, charged]));
  }

  override async refund(companyId: number, day: string): Promise<void> {
    await this.sql.rows(
      'update webhook_budgets set used = used - 1 where company_id = $1 and day = $2 and used > 0',
      [companyId, day],
    );
  }

  override async putOff(
    claims: readonly ClaimedDelivery[],
    { now, until }: { readonly now: Date; readonly until: Date },
    limit: number,
  ): Promise<void> {
    await this.sql.rows(
      `with claimed as (
         select * from unnest($1::bigint[], $2::uuid[]) as c (id, token)
       ), due as (
         select d.id from unnest($3::text[]) as e (id) cross join lateral (
           select id from webhook_deliveries
            where endpoint_id = e.id and state in ('pending', 'waiting') and next_attempt_at <= $4
              and (lease_token is null or lease_until < now())
            order by next_attempt_at, id limit $6 for update skip locked) as d
       )
       update webhook_deliveries d
          set state = 'waiting', next_attempt_at = $5, lease_token = null, lease_until = null
        where d.state in ('pending', 'waiting')
          and (d.id in (select id from due) or (d.id, d.lease_token) in (select id, token from claimed))`,
      [
        claims.map(({ id }) => id),
        claims.map(({ leaseToken }) => leaseToken),
        [...new Set(claims.map(({ endpointId }) => endpointId))],
        now,
        until,
        limit,
      ],
    );
  }

  override purge(day: string, signal: AbortSignal): Promise<void> {
    return purgeInBatches(
      (batch) =>
        this.sql.rows(
          `delete from webhook_budgets
            where (company_id, day) in (select company_id, day from webhook_budgets where day < $1 limit $2)
            returning 1`,
          [day, batch],
        ),
      signal,
    );
  }
}
