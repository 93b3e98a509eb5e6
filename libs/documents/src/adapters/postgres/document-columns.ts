/** Columns of `documents d`, aliased to the fields of `DocumentHeader`. */
export const HEADER_COLUMNS = `
  d.id, d.visible_id as "visibleId", d.type, d.number, d.external_id as "externalId", d.entity_id as "entityId",
  d.retainer_id as "retainerId", d.issue_date as "issueDate", d.due_date as "dueDate",
  d.period_from as "periodFrom", d.period_until as "periodUntil", d.currency, d.amount, d.tax, d.total_with_tax as "totalWithTax",
  d.status, d.remaining_amount as "remainingAmount", d.covered_amount as "coveredAmount", d.tax_authority_approval_number as "allocationNumber",
  d.approval_number_status as "allocationNumberStatus", d.cancelled, d.cancellation_reason as "cancellationReason",
  d.refund_of as "refundOf", d.notes, d.created_at as "createdAt", d.updated_at as "updatedAt",
  d.change_number as "changeNumber"`;

/** The client or vendor of a document, from its `entities e`. */
export const ENTITY_COLUMN = `json_build_object('id', e.id, 'visibleId', e.visible_id, 'name', e.name) as entity`;

/** Of a document `o` that the record names, as `OtherDocument`. */
const OTHER_DOCUMENT = `'documentId', o.id, 'visibleId', o.visible_id, 'type', o.type, 'number', o.number`;

/** A document `o` that names the one of the record, as `LinkedDocument`. */
const LINKED_DOCUMENT = `json_build_object(${OTHER_DOCUMENT},
            'issueDate', o.issue_date, 'currency', o.currency, 'totalWithTax', o.total_with_tax)`;

/**
 * Further columns of a single record, of `documents d` and its `entities e`, aliased to the fields of
 * `DocumentRecord`.
 */
export const RECORD_COLUMNS = `
  ${ENTITY_COLUMN},
  (select coalesce(json_agg(json_build_object('description', i.description, 'quantity', i.quantity,
            'unitPrice', i.unit_price, 'discountPercent', i.discount_percent, 'vatRate', i.vat_rate,
            'productId', i.product_id, 'lineTotal', i.line_total) order by i.position), '[]')
     from document_items i where i.document_id = d.id) as items,
  (select coalesce(json_agg(json_build_object('method', p.method, 'amount', p.amount, 'date', p.date, 'note', p.note)
            order by p.position), '[]')
     from document_payments p where p.document_id = d.id) as payments,
  (select coalesce(json_agg(json_build_object(${OTHER_DOCUMENT}, 'amount', s.amount) order by s.id), '[]')
     from (select id, amount, settled_id as other_id from document_settlements
            where settling_id = d.id and d.type = 'RECEIPT' and reversed_at is null
           union all
           select id, amount, settling_id from document_settlements
            where settled_id = d.id and d.type <> 'RECEIPT' and reversed_at is null) s
     join documents o on o.id = s.other_id
    where d.type = 'RECEIPT' or o.type = 'RECEIPT') as allocations,
  (select coalesce(json_agg(s.settled_id order by s.id), '[]')
     from document_settlements s
    where s.settling_id = d.id and s.kind = 'COVER' and s.reversed_at is null) as "linkedDocumentIds",
  (select p.recipient -> 'withholding' from document_parties p
    where p.company_id = d.company_id and p.document_id = d.id) as withholding`;

/** Further columns of a record: the documents that name it. */
export const LINK_COLUMNS = `
  (select coalesce(json_agg(${LINKED_DOCUMENT} order by o.id desc), '[]')
     -- OFFSET 0 keeps the order out of the scan: it would walk the primary key for an index of the order.
     from (select id from (select id from documents
                            where company_id = d.company_id and refund_of = d.id and not cancelled offset 0) notes
            order by id desc limit 200) note
     join documents o on o.id = note.id) as "creditedBy",
  (select ${LINKED_DOCUMENT} from document_settlements s join documents o on o.id = s.settling_id
    where s.settled_id = d.id and s.kind = 'COVER' and s.reversed_at is null and o.type <> 'RECEIPT') as "coveredBy"`;

/** Further columns of a document with its parties, aliased to the fields of `DocumentWithParties`. */
export const PARTIES_COLUMNS = `
  (select json_build_object('issuer', p.issuer, 'recipient', p.recipient)
     from document_parties p where p.company_id = d.company_id and p.document_id = d.id) as parties,
  (select coalesce(json_agg(json_build_object('type', o.type, 'number', o.number,
            'amount', case when d.type = 'RECEIPT' then s.amount end) order by s.id), '[]')
     from document_settlements s join documents o on o.id = s.settled_id
    where s.settling_id = d.id and s.created_at = d.created_at) as "settledAtIssue"`;
