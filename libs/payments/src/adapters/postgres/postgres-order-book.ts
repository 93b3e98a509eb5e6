import { Sql } from '@counterfoil/database';
import { RetriedWork } from '@counterfoil/leased-work';
import { Injectable } from '@nestjs/common';
import {
  type BegunOrder,
  type ClaimedOrder,
  type OpenOrder,
  OrderBook,
} from '../../application/ports/order-book';

const TABLE = {
  name: 'charge_operations',
  key: 'id',
  token: 'lease_token',
  until: 'lease_until',
  due: 'next_attempt_at',
  inTurnsOf: 'company_id',
  open: `state = 'PENDING'`,
  payload: 'lease_token as "leaseToken"',
};

/** A refund, capture or void needs no card: it is done to the charge. */
const FIND = `
  select o.id as "operationId", o.company_id as "companyId", o.charge_id as "chargeId", o.kind,
         o.provider_key as key, o.amount, o.attempts, c.currency, m.provider,
         case when o.kind in ('SALE', 'AUTHORIZATION') then m.sealed_token end as "sealedToken",
         (select first.provider_key from charge_operations first where first.charge_id = c.id
           order by first.id limit 1) as "chargeKey"
    from charge_operations o
    join charges c on c.id = o.charge_id join payment_methods m on m.id = c.payment_method_id
   where o.id = $1 and o.state = 'PENDING'`;

/** After an operation is due, the worker has asked for it once by then, where there is one. */
const FIRST_LOOK_MAX_MS = 60_000;

@Injectable()
export class PostgresOrderBook extends OrderBook {
  private readonly work: RetriedWork;

  constructor(private readonly sql: Sql) {
    super();
    this.work = new RetriedWork(sql, TABLE);
  }

  override async find(operationId: number): Promise<OpenOrder | null> {
    const [found] = await this.sql.rows<OpenOrder>(FIND, [operationId]);
    return found ?? null;
  }

  override async claim(operationId: number, now: Date, leaseMs: number): Promise<ClaimedOrder | null> {
    const lease = await this.work.claimDue<Pick<ClaimedOrder, 'leaseToken'>>(operationId, now, leaseMs);
    const open = lease && (await this.find(operationId));
    return open && { ...open, ...lease };
  }

  override async postpone(operationId: number, leaseToken: string | null, until: Date): Promise<void> {
    await this.work.postpone({ key: operationId, token: leaseToken }, until);
  }

  override due(now: Date, limit: number): Promise<number[]> {
    return this.work.due(now, limit);
  }

  override async begun(companyId: number, operationId: number, now: Date): Promise<BegunOrder> {
    const [found] = await this.sql.rows<BegunOrder>(
      `select charge_id as "chargeId", state = 'PENDING' and attempts = 0 and next_attempt_at > $3 as "isUnderWay"
         from charge_operations where company_id = $1 and id = $2`,
      [companyId, operationId, new Date(now.getTime() - FIRST_LOOK_MAX_MS)],
    );
    if (!found) throw new Error(`operation ${operationId} is missing`);
    return found;
  }
}
