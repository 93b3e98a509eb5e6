import { randomUUID } from 'node:crypto';
import { Sql } from '@counterfoil/database';
import { Injectable } from '@nestjs/common';
import { type ClaimedOrder, type OpenOrder, OrderBook } from '../../application/ports/order-book';
import type { Operation } from '../../domain/operation';
import { OPERATION_COLUMNS } from './payment-columns';

/** An order of `charge_operations o`. A refund, capture or void needs no card: it is done to the charge. */
const ORDER = `
  select o.id as "operationId", o.company_id as "companyId", o.charge_id as "chargeId", o.kind,
         o.provider_key as key, o.amount, o.attempts, c.currency, m.provider,
         case when o.kind in ('SALE', 'AUTHORIZATION') then m.sealed_token end as "sealedToken",
         (select first.provider_key from charge_operations first where first.charge_id = c.id
           order by first.id limit 1) as "chargeKey"`;
const OF_CARD = `
  join charges c on c.id = o.charge_id join payment_methods m on m.id = c.payment_method_id`;

type Under = Operation & { readonly fingerprint: Buffer };

@Injectable()
export class PostgresOrderBook extends OrderBook {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async find(operationId: number): Promise<OpenOrder | null> {
    const [found] = await this.sql.rows<OpenOrder>(
      `${ORDER} from charge_operations o ${OF_CARD} where o.id = $1 and o.state = 'PENDING'`,
      [operationId],
    );
    return found ?? null;
  }

  override async claim(operationId: number, now: Date, leaseMs: number): Promise<ClaimedOrder | null> {
    const [claimed] = await this.sql.rows<ClaimedOrder>(
      `with o as (
         update charge_operations set lease_token = $2, lease_until = $4
          where id = $1 and state = 'PENDING' and next_attempt_at <= $3 and (lease_until is null or lease_until < $3)
          returning *
       )
       ${ORDER}, o.lease_token as "leaseToken" from o ${OF_CARD}`,
      [operationId, randomUUID(), now, new Date(now.getTime() + leaseMs)],
    );
    return claimed ?? null;
  }

  override async postpone(operationId: number, leaseToken: string | null, until: Date): Promise<void> {
    await this.sql.rows(
      `update charge_operations
          set attempts = attempts + 1, next_attempt_at = $3, lease_token = null, lease_until = null
        where id = $1 and state = 'PENDING' and lease_token is not distinct from $2`,
      [operationId, leaseToken, until],
    );
  }

  override async due(now: Date, limit: number): Promise<number[]> {
    const rows = await this.sql.rows<{ id: number }>(
      `select id
         from (select id, next_attempt_at, row_number() over (
                 partition by company_id order by next_attempt_at, id) as turn
                 from charge_operations
                where state = 'PENDING' and next_attempt_at <= $1 and (lease_until is null or lease_until < $1)) due
        order by turn, next_attempt_at, id limit $2`,
      [now, limit],
    );
    return rows.map(({ id }) => id);
  }

  override async under(
    companyId: number,
    key: string,
  ): Promise<{ readonly operation: Operation; readonly fingerprint: Buffer } | null> {
    const [found] = await this.sql.rows<Under>(
      `select ${OPERATION_COLUMNS}, o.fingerprint from charge_operations o
        where o.company_id = $1 and o.idempotency_key = $2`,
      [companyId, key],
    );
    if (!found) return null;
    const { fingerprint, ...operation } = found;
    return { operation, fingerprint };
  }
}
