import { statement } from '@counterfoil/database';
import type { ProviderRequest } from '../../application/ports/payment-provider';

export interface BookedRequest {
  readonly providerToken: string;
  readonly approved: boolean;
  readonly captured: boolean;
  readonly failureCode: string | null;
}

const COLUMNS = 'provider_token as "providerToken", approved, captured, failure_code as "failureCode"';

export const FIND_REQUEST = statement<{ readonly key: string }, BookedRequest>(
  'sandbox_orders: find',
  `select ${COLUMNS} from sandbox_orders where order_key = :key`,
);

/** Stores a request, and returns its row as it was first stored. */
export const BOOK_REQUEST = statement<
  { readonly request: ProviderRequest; readonly answer: BookedRequest },
  BookedRequest
>(
  'sandbox_orders: book',
  `insert into sandbox_orders (order_key, charge_key, kind, provider_token, amount, currency, approved, captured,
     failure_code, sent)
   values (:request.key, :request.chargeKey, :request.kind, :answer.providerToken, :request.amount, :request.currency,
     :answer.approved, :answer.captured, :answer.failureCode, 1)
   on conflict (order_key) do update set sent = sandbox_orders.sent + 1 returning ${COLUMNS}`,
);
