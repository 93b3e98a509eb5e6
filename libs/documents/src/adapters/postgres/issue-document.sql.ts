import type { PreparedStatement } from '@counterfoil/database';
import { insertResponseSql } from '@counterfoil/idempotency';
import type { NewDocumentRecord } from '../../application/ports/document.repository';

/** Parameters: company. */
export const OPEN_CHANGE: PreparedStatement = {
  name: 'documents-open-change',
  text: 'select change_number as "changeNumber", at from open_document_change($1)',
};

/** Parameters: company, type, external id, and the idempotency key with its locks, or nulls. */
export const OPEN_ISSUANCE: PreparedStatement = {
  name: 'documents-open-issuance',
  text: `
  select change_number as "changeNumber", at, number, id, taken
    from open_document_issuance($1, $2, $3, $4, $5, $6, $7)`,
};

/** The whole document in one statement: what belongs to it is inserted with it or not at all. */
export const INSERT_DOCUMENT: PreparedStatement = {
  name: 'documents-insert',
  text: `
  with document as (
    insert into documents (
      id, visible_id, company_id, type, number, external_id, entity_id, retainer_id, issue_date, due_date, currency,
      amount, tax, total_with_tax, status, remaining_amount, covered_amount, tax_authority_approval_number,
      approval_number_status, cancelled, refund_of, notes, created_at, updated_at, change_number)
    overriding system value
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, false, $20, $21, $22,
      $22, $23)
  ), items as (
    insert into document_items (document_id, position, description, quantity, unit_price, discount_percent, vat_rate,
      product_id, line_total)
    select $1, position - 1, description, quantity, unit_price, discount_percent, vat_rate, product_id, line_total
      from unnest($24::text[], $25::numeric[], $26::numeric[], $27::numeric[], $28::numeric[], $29::bigint[],
        $30::numeric[]) with ordinality
        as i (description, quantity, unit_price, discount_percent, vat_rate, product_id, line_total, position)
  ), payments as (
    insert into document_payments (document_id, position, method, amount, date)
    select $1, position - 1, method, amount, date
      from unnest($31::text[], $32::numeric[], $33::date[]) with ordinality as p (method, amount, date, position)
  ), approval as (
    insert into document_approvals (document_id, company_id, next_attempt_at)
    select $1, $3, $22 where $19::text = 'PENDING'
  )
  ${insertResponseSql({
    company: '$3',
    key: '$34::text',
    fingerprint: '$35::bytea',
    response: '$36::text',
    createdAt: '$22',
  })}`,
};

export function insertParameters(
  companyId: number,
  { document: d, items, payments, response }: NewDocumentRecord,
): unknown[] {
  return [
    ...[d.id, d.visibleId, companyId, d.type, d.number, d.externalId, d.entityId, d.retainerId],
    ...[d.issueDate, d.dueDate, d.currency, d.amount, d.tax, d.totalWithTax, d.status],
    ...[d.remainingAmount, d.coveredAmount, d.taxAuthorityApprovalNumber, d.approvalNumberStatus],
    ...[d.refundOf, d.notes, d.createdAt, d.changeNumber],
    items.map(({ description }) => description),
    items.map(({ quantity }) => quantity),
    items.map(({ unitPrice }) => unitPrice),
    items.map(({ discountPercent }) => discountPercent),
    items.map(({ vatRate }) => vatRate),
    items.map(({ productId }) => productId),
    items.map(({ lineTotal }) => lineTotal),
    payments.map(({ method }) => method),
    payments.map(({ amount }) => amount),
    payments.map(({ date }) => date),
    response?.key.key ?? null,
    response?.key.fingerprint ?? null,
    response?.text ?? null,
  ];
}
