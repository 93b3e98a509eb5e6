import { statement } from '@counterfoil/database';
import type { PageRequest } from '@counterfoil/pagination';
import { REFUSED_RUN_COLUMNS, type WithRefusedRunColumns } from '@counterfoil/scheduling';
import type { RecurringPaymentRow } from '../../application/ports/payments.reader';
import type { RecurringPayment } from '../../application/ports/recurring-payment.repository';

interface OfCompany {
  readonly companyId: number;
}

const COLUMNS = 'r.id, r.payment_method_id as "tokenId", r.amount, r.currency, r.entity_id as "entityId"';

export const FIND_RECURRING = statement<OfCompany & { readonly id: number }, RecurringPayment>(
  'recurring_payments: find',
  `select ${COLUMNS} from recurring_payments r where r.company_id = :companyId and r.id = :id`,
);

/** Leaves out ended ones. */
export const FIND_OF_CARD = statement<OfCompany & { readonly tokenId: number }, { readonly id: number }>(
  'recurring_payments: of a card',
  `select r.id from recurring_payments r join schedules s on s.id = r.id
    where r.company_id = :companyId and r.payment_method_id = :tokenId and s.ended_at is null`,
);

export const LIST_RECURRING = statement<OfCompany & PageRequest, WithRefusedRunColumns<RecurringPaymentRow>>(
  'recurring_payments: list',
  `with page as (
     select r.id from recurring_payments r join schedules s on s.id = r.id
      where r.company_id = :companyId and s.ended_at is null order by r.id desc limit :limit offset :offset
   )
   select ${COLUMNS}, s.interval, s.next_run_date as "nextRunDate", r.created_at as "createdAt",
          (select json_build_object('id', c.id, 'status', c.status, 'failureCode', c.failure_code,
                    'runDate', c.run_date)
             from charges c where c.recurring_payment_id = r.id order by c.run_date desc limit 1) as "lastCharge",
          ${REFUSED_RUN_COLUMNS}
     from page join recurring_payments r using (id) join schedules s using (id) order by r.id desc`,
);
