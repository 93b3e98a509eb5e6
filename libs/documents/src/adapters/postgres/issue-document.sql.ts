import { statement } from '@counterfoil/database';
import { insertResponseSql, type KeyLocks } from '@counterfoil/idempotency';
import type { DocumentParties } from '../../application/ports/document-parties';
import type {
  IssuanceRequest,
  Change,
  NewDocumentRecord,
  OpenedIssuance,
} from '../../application/ports/document.repository';

interface OfCompany {
  readonly companyId: number;
}

/**
 * The logo of the issuer, which stays among the files of the company from then on. Null if it has just been deleted: the
 * company was read before.
 */
const LOGO = `(select f.id from files f where f.company_id = :companyId
            and f.id = (:parties.issuer::jsonb ->> 'logoFileId')::bigint for key share)`;

export const RECORD_PARTIES = statement<
  OfCompany & { readonly documentId: number; readonly parties: DocumentParties }
>(
  'documents: record parties',
  `insert into document_parties (company_id, document_id, issuer, recipient, logo_file_id)
   values (:companyId, :documentId, :parties.issuer, :parties.recipient, ${LOGO}) on conflict do nothing`,
);

export const OPEN_CHANGE = statement<OfCompany, Change>(
  'documents: open change',
  'select change_number as "changeNumber", at from open_document_change(:companyId)',
  { prepared: true },
);

export const OPEN_ISSUANCE = statement<
  OfCompany & { readonly request: IssuanceRequest; readonly locks: KeyLocks | null },
  OpenedIssuance & { readonly taken: string | null }
>(
  'documents: open issuance',
  `select change_number as "changeNumber", at, number, id, taken
     from open_document_issuance(:companyId, :request.type, :request.externalId, :request.key.key, :locks.key, :locks.high,
       :locks.low)`,
  { prepared: true },
);

/** Inserts the whole document in one statement, including its items, payments and parties. */
export const INSERT_DOCUMENT = statement<OfCompany & NewDocumentRecord>(
  'documents: insert',
  `with document as (
    insert into documents (
      id, visible_id, company_id, type, number, external_id, entity_id, retainer_id, issue_date, due_date,
      period_from, period_until, currency, amount, tax, total_with_tax, status, remaining_amount, covered_amount, tax_authority_approval_number,
      approval_number_status, cancelled, refund_of, notes, created_at, updated_at, change_number)
    overriding system value
    values (:document.id, :document.visibleId, :companyId, :document.type, :document.number, :document.externalId,
      :document.entityId, :document.retainerId, :document.issueDate, :document.dueDate,
      :document.periodFrom, :document.periodUntil, :document.currency, :document.amount, :document.tax, :document.totalWithTax, :document.status, :document.remainingAmount,
      :document.coveredAmount, :document.allocationNumber, :document.allocationNumberStatus, false,
      :document.refundOf, :document.notes, :document.createdAt, :document.createdAt, :document.changeNumber)
  ), items as (
    insert into document_items (document_id, position, description, quantity, unit_price, discount_percent, vat_rate,
      product_id, line_total)
    select :document.id, position - 1, description, quantity, unit_price, discount_percent, vat_rate, product_id,
           line_total
      from unnest(:items.description::text[], :items.quantity::numeric[], :items.unitPrice::numeric[],
        :items.discountPercent::numeric[], :items.vatRate::numeric[], :items.productId::bigint[],
        :items.lineTotal::numeric[]) with ordinality
        as i (description, quantity, unit_price, discount_percent, vat_rate, product_id, line_total, position)
  ), payments as (
    insert into document_payments (document_id, position, method, amount, date, note)
    select :document.id, position - 1, method, amount, date, note
      from unnest(:payments.method::text[], :payments.amount::numeric[], :payments.date::date[],
        :payments.note::text[]) with ordinality
        as p (method, amount, date, note, position)
  ), parties as (
    insert into document_parties (company_id, document_id, issuer, recipient, logo_file_id)
    values (:companyId, :document.id, :parties.issuer, :parties.recipient, ${LOGO})
  ), allocation_number_request as (
    insert into document_approvals (document_id, company_id, next_attempt_at)
    select :document.id, :companyId, :document.createdAt where :document.allocationNumberStatus::text = 'PENDING'
  )
  ${insertResponseSql(':companyId', ':document.createdAt')}`,
  { prepared: true },
);
