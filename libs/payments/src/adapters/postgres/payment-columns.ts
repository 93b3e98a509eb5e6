/** Of `charges c`, named as a charge's fields are. */
export const CHARGE_COLUMNS = `
  c.id, c.payment_method_id as "tokenId", c.payment_page_id as "paymentPageId",
  c.recurring_payment_id as "recurringPaymentId", c.run_date as "runDate", c.entity_id as "entityId",
  c.document_id as "documentId", c.amount, c.currency, c.status, c.captured_amount as "capturedAmount",
  c.refunded_amount as "refundedAmount", c.failure_code as "failureCode", c.created_at as "createdAt",
  c.updated_at as "updatedAt"`;

/** Of `charge_operations o`, named as an operation's fields are. */
export const OPERATION_COLUMNS = `
  o.id, o.charge_id as "chargeId", o.kind, o.amount, o.reason, o.state, o.failure_code as "failureCode",
  o.created_at as "createdAt"`;

/** Of `payment_methods m`, named as a card's fields are. */
export const METHOD_COLUMNS = `
  m.id, m.provider, m.brand, m.last4, m.expiry_month as "expiryMonth", m.expiry_year as "expiryYear",
  m.entity_id as "entityId", m.created_at as "createdAt"`;
