import { statement } from '@counterfoil/database';
import { renewalOf, retriedWork } from '@counterfoil/leased-work';
import type {
  OperationProgress,
  ClaimedRequest,
  OpenRequest,
} from '../../application/ports/provider-request.repository';

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

export const OPERATIONS = retriedWork<Pick<ClaimedRequest, 'leaseToken'>>(TABLE, { present: ['leaseToken'] });

export const RENEW_OPERATIONS = renewalOf(TABLE);

/** A refund, capture or void refers to the charge and needs no card. */
export const FIND_OPEN = statement<{ readonly operationId: number }, OpenRequest>(
  'charge_operations: open',
  `select o.id as "operationId", o.company_id as "companyId", o.charge_id as "chargeId", o.kind,
          o.provider_key as key, o.amount, o.attempts, c.currency, m.provider,
          case when o.kind in ('SALE', 'AUTHORIZATION') then m.sealed_token end as "sealedToken",
          (select first.provider_key from charge_operations first where first.charge_id = c.id
            order by first.id limit 1) as "chargeKey"
     from charge_operations o
     join charges c on c.id = o.charge_id join payment_methods m on m.id = c.payment_method_id
    where o.id = :operationId and o.state = 'PENDING'`,
);

export const FIND_PROGRESS = statement<
  {
    readonly companyId: number;
    readonly operationId: number;
    /** Requests that were due before this time have been attempted by a worker. */
    readonly askedBefore: Date;
  },
  OperationProgress
>(
  'charge_operations: progress',
  `select charge_id as "chargeId", state = 'PENDING' and attempts = 0 and next_attempt_at > :askedBefore as "isUnderWay"
     from charge_operations where company_id = :companyId and id = :operationId`,
);
