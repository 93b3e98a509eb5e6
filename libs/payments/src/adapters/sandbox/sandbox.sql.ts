import { statement } from '@counterfoil/database';
import type { Order } from '../../application/ports/payment-provider';

export interface BookedOrder {
  readonly providerToken: string;
  readonly approved: boolean;
  readonly captured: boolean;
  readonly failureCode: string | null;
}

const COLUMNS = 'provider_token as "providerToken", approved, captured, failure_code as "failureCode"';

export const FIND_ORDER = statement<{ readonly key: string }, BookedOrder>(
  'sandbox_orders: find',
  `select ${COLUMNS} from sandbox_orders where order_key = :key`,
);

/** The row of the request as it was first sent. */
export const BOOK_ORDER = statement<{ readonly order: Order; readonly answer: BookedOrder }, BookedOrder>(
  'sandbox_orders: book',
  `insert into sandbox_orders (order_key, charge_key, kind, provider_token, amount, currency, approved, captured,
     failure_code, sent)
   values (:order.key, :order.chargeKey, :order.kind, :answer.providerToken, :order.amount, :order.currency,
     :answer.approved, :answer.captured, :answer.failureCode, 1)
   on conflict (order_key) do update set sent = sandbox_orders.sent + 1 returning ${COLUMNS}`,
);
