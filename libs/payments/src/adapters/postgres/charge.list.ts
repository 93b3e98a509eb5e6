import type { ListDefinition } from '@counterfoil/lists';
import type { ChargeFilter } from '../../application/ports/payments.reader';

/** Columns of `charges c`, aliased to the fields of a charge. */
export const CHARGE_COLUMNS = `
  c.id, c.payment_method_id as "tokenId", c.payment_page_id as "paymentPageId",
  c.recurring_payment_id as "recurringPaymentId", c.run_date as "runDate", c.entity_id as "entityId",
  c.document_id as "documentId", c.amount, c.currency, c.status, c.captured_amount as "capturedAmount",
  c.refunded_amount as "refundedAmount", c.failure_code as "failureCode", c.created_at as "createdAt",
  c.updated_at as "updatedAt"`;

export const CHARGES: ListDefinition<ChargeFilter, 'id'> = {
  name: 'charges',
  from: 'charges c',
  id: 'c.id',
  scope: 'c.company_id = $1',
  filters: {
    status: 'c.status = ?',
    tokenId: 'c.payment_method_id = ?',
    entityId: 'c.entity_id = ?',
    documentId: 'c.document_id = ?',
  },
  sorts: { id: ['c.id'] },
  rows: { columns: CHARGE_COLUMNS, joins: 'left join charges c on c.id = page.id' },
};
