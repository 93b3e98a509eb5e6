import { EPOCH, statement } from '@counterfoil/database';
import type {
  DocumentRecord,
  DocumentWithParties,
  IssuedReference,
} from '../../application/ports/document.reader';
import type { CreditedSoFar } from '../../domain/credited';
import type { DocumentHeader } from '../../domain/document';
import { HEADER_COLUMNS, LINK_COLUMNS, PARTIES_COLUMNS, RECORD_COLUMNS } from './document-columns';
import { BUCKET_SHIFT } from './document-counts.list';

interface OfCompany {
  readonly companyId: number;
}

const findBy = <Key extends object>(name: string, condition: string) =>
  statement<OfCompany & Key, DocumentRecord>(
    `documents: by ${name}`,
    `select ${HEADER_COLUMNS}, ${RECORD_COLUMNS}, ${LINK_COLUMNS}
       from documents d join entities e on e.id = d.entity_id
      where d.company_id = :companyId and ${condition}`,
    { prepared: true },
  );

export const FIND = {
  byId: findBy<{ readonly id: number }>('id', 'd.id = :id'),
  byVisibleId: findBy<{ readonly visibleId: string }>('visible id', 'd.visible_id = :visibleId'),
  byExternalId: findBy<{ readonly externalId: string }>('external id', 'd.external_id = :externalId'),
};

const identifyBy = <Key extends object>(name: string, condition: string) =>
  statement<OfCompany & Key, IssuedReference>(
    `documents: identify by ${name}`,
    `select d.id, d.type from documents d where d.company_id = :companyId and ${condition}`,
    { prepared: true },
  );

export const IDENTIFY = {
  byId: identifyBy<{ readonly id: number }>('id', 'd.id = :id'),
  byVisibleId: identifyBy<{ readonly visibleId: string }>('visible id', 'd.visible_id = :visibleId'),
};

const findWithPartiesBy = <Key extends object>(name: string, condition: string) =>
  statement<OfCompany & Key, DocumentWithParties>(
    `documents: with parties by ${name}`,
    `select ${HEADER_COLUMNS}, ${RECORD_COLUMNS}, ${PARTIES_COLUMNS}
       from documents d join entities e on e.id = d.entity_id
      where d.company_id = :companyId and ${condition}`,
  );

export const FIND_WITH_PARTIES = {
  byId: findWithPartiesBy<{ readonly id: number }>('id', 'd.id = :id'),
  byVisibleId: findWithPartiesBy<{ readonly visibleId: string }>('visible id', 'd.visible_id = :visibleId'),
};

export const FIND_HEADER = statement<OfCompany & { readonly externalId: string }, DocumentHeader>(
  'documents: header by external id',
  `select ${HEADER_COLUMNS} from documents d where d.company_id = :companyId and d.external_id = :externalId`,
);

export const VAT_RATE = statement<
  OfCompany & { readonly documentId: number },
  { readonly vatRate: number | null }
>(
  'documents: VAT rate',
  `select case when min(i.vat_rate) = max(i.vat_rate) then min(i.vat_rate) end as "vatRate"
     from documents d join document_items i on i.document_id = d.id
    where d.company_id = :companyId and d.id = :documentId`,
);

/**
 * Longer than a transaction can be open between taking its change number and its commit, because of the time
 * limits of the connection. So every change that is older than this is committed.
 */
const OPEN_TRANSACTION_MAX = "interval '10 minutes'";

/** Returns the last change before a time. */
export const FIND_PLACE_IN_TIME = statement<
  OfCompany & { readonly since: Date },
  {
    readonly epoch: string;
    /** True if the time is in the future. */
    readonly future: boolean;
    readonly last: number | null;
    readonly recent: boolean | null;
  }
>(
  'documents: place in time',
  `select ${EPOCH} as epoch, :since > clock_timestamp() as future, d.change_number as last,
          d.updated_at >= :since::timestamptz - ${OPEN_TRANSACTION_MAX} as recent
     from (select 1) always
     left join lateral (
       select change_number, updated_at from documents where company_id = :companyId and updated_at < :since
        order by updated_at desc, change_number desc limit 1) d on true`,
);

export const SAVE = statement<OfCompany & { readonly changed: readonly DocumentHeader[] }>(
  'documents: save',
  `update documents d
      set status = n.status, remaining_amount = n.remaining_amount, covered_amount = n.covered_amount,
          cancelled = n.cancelled, cancellation_reason = n.cancellation_reason,
          tax_authority_approval_number = n.tax_authority_approval_number,
          approval_number_status = n.approval_number_status, updated_at = n.updated_at,
          change_number = n.change_number,
          closed_at = case when n.status <> 'CLOSED' then null
                           -- A document that was closed before the column existed has no time.
                           when d.status = 'CLOSED' then coalesce(d.closed_at, d.updated_at)
                           else n.updated_at end,
          counted_bucket = case when d.change_number >> ${BUCKET_SHIFT} < n.change_number >> ${BUCKET_SHIFT}
            then d.change_number >> ${BUCKET_SHIFT} else d.counted_bucket end
     from unnest(:changed.id::bigint[], :changed.status::text[], :changed.remainingAmount::numeric[],
       :changed.coveredAmount::numeric[], :changed.cancelled::boolean[], :changed.cancellationReason::text[],
       :changed.allocationNumber::text[], :changed.allocationNumberStatus::text[],
       :changed.updatedAt::timestamptz[], :changed.changeNumber::bigint[])
       as n (id, status, remaining_amount, covered_amount, cancelled, cancellation_reason,
         tax_authority_approval_number, approval_number_status, updated_at, change_number)
    where d.company_id = :companyId and d.id = n.id`,
);

export const CREDITED = statement<OfCompany & { readonly documentId: number }, CreditedSoFar>(
  'documents: credited',
  `select coalesce(sum(amount), 0) as amount, coalesce(sum(tax), 0) as tax,
          coalesce(sum(total_with_tax), 0) as "totalWithTax", count(*)::int as count
     from documents where company_id = :companyId and refund_of = :documentId and not cancelled`,
);

/** How much of the document `credited` another document has replaced. */
const REPLACED_AMOUNT = `coalesce((
  select s.amount from document_settlements s
    join documents covering on covering.company_id = :companyId and covering.id = s.settling_id
   where s.company_id = :companyId and s.settled_id = credited.id and s.kind = 'COVER' and s.reversed_at is null
     and covering.type <> 'RECEIPT' limit 1), 0)`;

/**
 * The debt of a client. The part of a credit note that takes back the closing of its invoice is no credit: what was closed
 * is not claimed in the first place. Nor is the part of a credit note for a proforma, an order or a delivery note that
 * another document replaced, because the replaced document is not claimed. The statement of account counts the same, but
 * also credit notes that were closed themselves: with those, a client may owe less by its statement than here.
 *
 * The conditions must match the indexes `documents_open_balance` and `documents_open_credits`.
 */
export const BALANCE_OF = statement<OfCompany & { readonly entityId: number }, { readonly balance: number }>(
  'documents: balance',
  `select coalesce(sum(case type when 'TAX_INVOICE' then remaining_amount else -remaining_amount end), 0)
            + (select coalesce(sum(least(note.unused,
                        case when credited.type <> 'TAX_INVOICE' then ${REPLACED_AMOUNT}
                             when credited.status = 'CLOSED' and not credited.cancelled then credited.remaining_amount
                             else 0 end)), 0)
                 from (select refund_of, sum(remaining_amount) as unused from documents
                        where company_id = :companyId and entity_id = :entityId and type in ('REFUND', 'RETURN')
                          and status in ('OPEN', 'PARTIALLY_PAID') and currency = 'ILS' and refund_of is not null
                        group by refund_of) note
                 join documents credited on credited.company_id = :companyId and credited.id = note.refund_of) as balance
     from documents
    where company_id = :companyId and entity_id = :entityId and type in ('TAX_INVOICE', 'RECEIPT', 'REFUND', 'RETURN')
      and status in ('OPEN', 'PARTIALLY_PAID') and currency = 'ILS'`,
);

/** Returns those of the documents that a later document covers. */
export const FIND_REPLACED = statement<
  OfCompany & { readonly ids: readonly number[] },
  { readonly id: number }
>(
  'documents: replaced',
  `select s.settled_id as id from document_settlements s join documents d on d.id = s.settling_id
    where s.company_id = :companyId and s.settled_id = any (:ids) and s.kind = 'COVER' and s.reversed_at is null
      and d.type <> 'RECEIPT'`,
);
