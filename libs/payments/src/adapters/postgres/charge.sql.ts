import { statement } from '@counterfoil/database';
import type { NewCharge, NewOperation } from '../../application/ports/charge.repository';
import type { Charge } from '../../domain/charge';
import type { Operation, OperationKind } from '../../domain/operation';
import { CHARGE_COLUMNS } from './charge.list';

interface OfCompany {
  readonly companyId: number;
}

interface OfCharge extends OfCompany {
  readonly chargeId: number;
}

export const INSERT_CHARGE = statement<OfCompany & { readonly charge: NewCharge; readonly at: Date }, Charge>(
  'charges: insert',
  `insert into charges as c (company_id, payment_method_id, payment_page_id, recurring_payment_id, run_date,
     entity_id, document_id, amount, currency, status, created_at, updated_at)
   values (:companyId, :charge.tokenId, :charge.paymentPageId, :charge.recurringPaymentId, :charge.runDate,
     :charge.entityId, :charge.documentId, :charge.amount, :charge.currency, 'PENDING', :at, :at)
   returning ${CHARGE_COLUMNS}`,
);

export const COUNT_DECLINED_ON_PAGE = statement<
  OfCompany & { readonly paymentPageId: number },
  { readonly declined: number }
>(
  'charges: count declined on a page',
  `select count(*) as declined from charges
    where company_id = :companyId and payment_page_id = :paymentPageId and status = 'FAILED'`,
);

const CHARGE = `select ${CHARGE_COLUMNS} from charges c where c.company_id = :companyId and c.id = :chargeId`;

export const FIND_CHARGE = statement<OfCharge, Charge>('charges: find', CHARGE);

export const LOCK_CHARGE = statement<OfCharge, Charge>('charges: lock', `${CHARGE} for no key update`);

export const SAVE_CHARGE = statement<OfCompany & { readonly charge: Charge }>(
  'charges: save',
  `update charges
      set status = :charge.status, captured_amount = :charge.capturedAmount,
          refunded_amount = :charge.refundedAmount, failure_code = :charge.failureCode,
          updated_at = :charge.updatedAt
    where company_id = :companyId and id = :charge.id`,
);

/** Columns of `charge_operations o`, aliased to the fields of an operation. */
const OPERATION_COLUMNS = `
  o.id, o.charge_id as "chargeId", o.kind, o.amount, o.reason, o.state, o.failure_code as "failureCode",
  o.created_at as "createdAt"`;

export const INSERT_OPERATION = statement<OfCompany & { readonly operation: NewOperation }, Operation>(
  'charge_operations: insert',
  `insert into charge_operations as o (company_id, charge_id, kind, amount, reason, provider_key, state, created_at,
     next_attempt_at)
   values (:companyId, :operation.chargeId, :operation.kind, :operation.amount, :operation.reason,
     gen_random_uuid(), 'PENDING', :operation.createdAt, :operation.nextAttemptAt)
   returning ${OPERATION_COLUMNS}`,
);

const OPERATIONS = `
  select ${OPERATION_COLUMNS} from charge_operations o where o.company_id = :companyId and o.charge_id = :chargeId`;

export const LIST_OPERATIONS = statement<OfCharge, Operation>(
  'charge_operations: list',
  `${OPERATIONS} order by o.id`,
);

export const COUNT_OPERATIONS = statement<
  OfCharge & { readonly kind: OperationKind },
  { readonly made: number }
>(
  'charge_operations: count',
  `select count(*) as made from charge_operations
    where company_id = :companyId and charge_id = :chargeId and kind = :kind`,
);

export const LIST_PENDING = statement<OfCharge, Operation>(
  'charge_operations: list pending',
  `${OPERATIONS} and o.state = 'PENDING' order by o.id`,
);

export const END_OPERATION = statement<OfCompany & { readonly ended: Operation; readonly at: Date }>(
  'charge_operations: end',
  `update charge_operations
      set state = :ended.state, failure_code = :ended.failureCode, settled_at = :at, lease_token = null,
          lease_until = null
    where company_id = :companyId and id = :ended.id`,
);
