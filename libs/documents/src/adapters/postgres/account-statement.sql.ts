import { statement } from '@counterfoil/database';
import { BUSINESS_TIME_ZONE } from '@counterfoil/kernel';
import type { Ageing, StatementFacts } from '../../domain/account-statement';
import { STATEMENT_LINES_MAX } from '../../domain/account-statement';
import type { StatementQuestion } from '../../application/ports/account-statement.reader';

const RANGES: Readonly<Record<keyof Ageing, string>> = {
  notDue: 'overdue <= 0',
  days1To30: 'overdue between 1 and 30',
  days31To60: 'overdue between 31 and 60',
  days61To90: 'overdue between 61 and 90',
  over90: 'overdue > 90',
};

const AGEING = Object.entries(RANGES)
  .map(([name, range]) => `'${name}', coalesce(sum(amount) filter (where ${range}), 0)`)
  .join(', ');

/**
 * One statement, so that all facts are of one snapshot. It reads the documents of one client by `documents_entity`.
 *
 * `own` are the documents that change what a client owes: not those that only ask for payment, and no credit note of
 * such a document. A document that was closed by a call is claimed up to that day.
 *
 * `taken_back` is how much of such a closing the credit notes of the invoice take back: the part that they credit was not
 * given up, because it is not claimed in the first place. A credit note is counted as far as it settles nothing,
 * unless it was closed before the invoice, and so was given up as well.
 *
 * An invoice was open after the last day if it is open now, if it was changed since, or if a document of a later day
 * settles it. Only the settlements of these are read, because a client may have paid a hundred thousand others.
 */
export const STATEMENT_FACTS = statement<{ readonly companyId: number } & StatementQuestion, StatementFacts>(
  'documents: account statement',
  `with own as materialized (
     select d.id, d.visible_id, d.type, d.number, d.issue_date, d.due_date, d.currency, d.total_with_tax as total,
            d.refund_of, d.remaining_amount as unused, d.type = 'TAX_INVOICE' as is_debt, d.status in ('OPEN', 'PARTIALLY_PAID') as is_open,
            (d.updated_at at time zone '${BUSINESS_TIME_ZONE}')::date as changed_on,
            case when d.status = 'CLOSED' and d.type <> 'TAX_INVOICE_RECEIPT' then d.remaining_amount else 0 end as waived,
            greatest(d.issue_date, (coalesce(d.closed_at, d.updated_at) at time zone '${BUSINESS_TIME_ZONE}')::date) as closed_on
       from documents d
      where d.company_id = :companyId and d.entity_id = :entityId and not d.cancelled
        and d.type in ('TAX_INVOICE', 'TAX_INVOICE_RECEIPT', 'RECEIPT', 'REFUND', 'RETURN')
        and case when d.refund_of is null then true else (
              select credited.type in ('TAX_INVOICE', 'TAX_INVOICE_RECEIPT') from documents credited
               where credited.company_id = d.company_id and credited.id = d.refund_of) end
   ), taken_back as materialized (
     select note.id as note_id, invoice.id, greatest(note.issue_date, invoice.closed_on) as date,
            least(sum(note.unused) over notes, invoice.waived)
              - least(sum(note.unused) over notes - note.unused, invoice.waived) as amount
       from own note join own invoice on invoice.id = note.refund_of and invoice.is_debt and invoice.waived > 0
        and not (note.waived > 0 and note.closed_on < invoice.closed_on)
     window notes as (partition by invoice.id order by note.issue_date, note.id)
   ), entries as (
     select 'DOCUMENT' as entry, issue_date as date, id, visible_id, type, number, due_date,
            case when type in ('TAX_INVOICE', 'TAX_INVOICE_RECEIPT') then total else 0 end as debit,
            case when is_debt then 0 else total end as credit
       from own where currency = :currency and issue_date <= :to
      union all
     select 'CLOSING', closed_on, id, visible_id, type, number, due_date,
            case when is_debt then 0 else waived - coalesce(amount, 0) end, case when is_debt then waived else 0 end
       from own left join (select note_id, amount from taken_back) note on note_id = id
      where currency = :currency and waived > coalesce(amount, 0) and closed_on <= :to
      union all
     select 'CLOSING', date, id, visible_id, type, number, due_date, amount, 0
       from taken_back join own using (id) where currency = :currency and amount > 0 and date <= :to
   ), settled_later as materialized (
     select s.settled_id as id
       from own settling join document_settlements s on s.company_id = :companyId and s.settling_id = settling.id
      where settling.issue_date > :to and s.reversed_at is null
   ), open as (
     select o.total - coalesce((
              select sum(s.amount) from document_settlements s
                join documents settling on settling.company_id = :companyId and settling.id = s.settling_id
               where s.company_id = :companyId and s.settled_id = o.id and s.reversed_at is null
                 and settling.issue_date <= :to), 0)
             - case when o.closed_on <= :to then o.waived else 0 end as amount,
            :asOf::date - coalesce(o.due_date, o.issue_date) as overdue
       from own o
      where o.is_debt and o.currency = :currency and o.issue_date <= :to
        and (o.is_open or o.changed_on > :to or o.id in (select id from settled_later))
   )
   select array(select distinct currency from own order by currency) as currencies,
          (select coalesce(sum(debit - credit), 0) from entries where date < :from) as "openingBalance",
          (select coalesce(json_agg(json_build_object('entry', entry, 'date', date, 'documentId', id,
                    'visibleId', visible_id, 'type', type, 'number', number, 'dueDate', due_date, 'debit', debit,
                    'credit', credit) order by date, entry desc, id, credit desc), '[]')
             from (select * from entries where date >= :from
                    order by date, entry desc, id, credit desc limit ${STATEMENT_LINES_MAX + 1}) line) as entries,
          (select json_build_object(${AGEING}) from open) as ageing`,
);
