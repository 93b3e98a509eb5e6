import { statement } from '@counterfoil/database';
import { BUSINESS_TIME_ZONE, type PlainDate } from '@counterfoil/kernel';
import type {
  DueReminder,
  NewReminder,
  NextReminder,
  ReminderPeriod,
  ReminderRow,
} from '../../application/ports/reminders';
import type { ReminderPlan } from '../../domain/reminder';

interface OfCompany {
  readonly companyId: number;
}

interface OfDocument extends OfCompany {
  readonly documentId: number;
}

/** A scalar subquery, because `exists` would be joined before the limit. */
const IS_ACTIVE = '(select c.suspended_at is null from companies c where c.id = plan.company_id)';

/**
 * Of `documents d`. The condition on the status must match the index `documents_due`, which holds few documents of many.
 */
const ASKS_FOR_PAYMENT = `d.type in ('TAX_INVOICE', 'PROFORMA') and d.status in ('OPEN', 'PARTIALLY_PAID')
  and d.remaining_amount > 0`;

/** Of `documents d` and its `entities e`. */
const IS_WANTED = `e.reminders
  and not exists (select from reminder_exemptions x where x.company_id = d.company_id and x.document_id = d.id)`;

/** Of `documents d`: nobody is reminded on the day of the document, or of its issue, or before. */
const BEFORE_REMINDERS = `greatest(d.issue_date, (d.created_at at time zone '${BUSINESS_TIME_ZONE}')::date)`;

/** The parties of a document are those of its company, so the id is enough. */
const CLIENT = 'join entities e on e.company_id = d.company_id and e.id = d.entity_id';

export const DUE_COMPANIES = statement<
  { readonly today: PlainDate; readonly limit: number; readonly grace: number },
  { readonly id: number }
>(
  'reminders: due companies',
  `select plan.company_id as id
     from company_reminders plan left join reminder_progress p on p.company_id = plan.company_id
    where (p.queued_until is null or p.queued_until < :today
           or plan.changed_at > p.completed_at - :grace * interval '1 millisecond') and ${IS_ACTIVE}
    order by p.turn_at nulls first, plan.company_id limit :limit`,
);

/** Inserts a row to lock. The day is long ago, because the day on which the plan was changed bounds the first time. */
export const BEGIN_PROGRESS = statement<OfCompany>(
  'reminders: begin progress',
  `insert into reminder_progress (company_id, queued_until) values (:companyId, '1970-01-01')
   on conflict (company_id) do nothing`,
);

/** A company that another worker serves is left to it. */
export const TAKE_TURN = statement<OfCompany & { readonly now: Date }>(
  'reminders: take turn',
  `update reminder_progress set turn_at = :now
    where company_id = (select company_id from reminder_progress where company_id = :companyId
                           for no key update skip locked)`,
);

const PLAN_COLUMNS = `plan.days, plan.changed_at as "changedAt", p.completed_at as "completedAt",
  p.batch_document_id as "batchDocumentId", p.batch_at as "batchAt"`;

export const LOCK_PLAN = statement<OfCompany, ReminderPlan>(
  'reminders: lock plan',
  `select ${PLAN_COLUMNS}, p.queued_until as "queuedUntil"
     from company_reminders plan join reminder_progress p on p.company_id = plan.company_id
    where plan.company_id = :companyId and ${IS_ACTIVE}
      for no key update of p skip locked`,
);

/** The progress begins with the first turn of the company. */
export const READ_PLAN = statement<OfCompany, ReminderPlan>(
  'reminders: read plan',
  `select ${PLAN_COLUMNS}, coalesce(p.queued_until, '1970-01-01') as "queuedUntil"
     from company_reminders plan left join reminder_progress p on p.company_id = plan.company_id
    where plan.company_id = :companyId and ${IS_ACTIVE}`,
);

/**
 * The documents of the days are read first, each day by itself (`offset 0`), because the order of the ids would otherwise
 * be that of the primary key of the whole table. The reminders of a document are counted, because "not exists" would be
 * joined, and read all reminders of the company.
 */
export const FIND_DUE = statement<OfCompany & ReminderPeriod & { readonly limit: number }, DueReminder>(
  'reminders: due',
  `with due as materialized (
     select d.*, r.days
       from unnest(:days::integer[]) as r (days)
      cross join lateral (
        select d.id, d.company_id, d.entity_id, d.issue_date, d.created_at, d.due_date
          from documents d
         where d.company_id = :companyId and d.due_date between :since::date - r.days and :today::date - r.days
           and ${ASKS_FOR_PAYMENT} and d.id > :after
        offset 0) d
   )
   select d.id as "documentId", max(d.days) as days, e.email
     from due d ${CLIENT}
    where ${IS_WANTED}
      and ${BEFORE_REMINDERS} < d.due_date + d.days
      and (select count(*) from document_reminders before
            where before.company_id = :companyId and before.document_id = d.id
              and (before.days >= d.days or before.reminder_date = :today)) = 0
    group by d.id, e.email order by d.id limit :limit`,
);

export const INSERT_REMINDERS = statement<
  OfCompany & {
    readonly reminders: readonly NewReminder[];
    readonly today: PlainDate;
    readonly now: Date;
  },
  { readonly mailId: number | null }
>(
  'reminders: insert',
  `with due as (
     select * from unnest(:reminders.documentId::bigint[], :reminders.days::integer[], :reminders.sendId::text[],
         :reminders.recipient::text[]) as due (document_id, days, send_id, recipient)
   ), mailed as (
     insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, stamp,
       purpose, sent_by, created_at, next_attempt_at)
     select :companyId, document_id, send_id, recipient, 'to', array[recipient], '{}', 'copy', 'reminder',
            'system:reminders', :now, :now
       from due where recipient is not null
     returning id, document_id
   )
   insert into document_reminders (company_id, document_id, reminder_date, days, mail_id, skipped, created_at)
   select :companyId, due.document_id, :today, due.days, mailed.id,
          case when mailed.id is null then 'no_address' end, :now
     from due left join mailed on mailed.document_id = due.document_id
   returning mail_id as "mailId"`,
);

export const NOTE_BATCH = statement<OfCompany & { readonly documentId: number; readonly now: Date }>(
  'reminders: note batch',
  'update reminder_progress set batch_document_id = :documentId, batch_at = :now where company_id = :companyId',
);

export const COMPLETE = statement<OfCompany & { readonly today: PlainDate; readonly now: Date }>(
  'reminders: complete',
  `update reminder_progress
      set queued_until = greatest(queued_until, :today), completed_at = :now, batch_document_id = null, batch_at = null
    where company_id = :companyId`,
);

/**
 * A reminder whose document has come to a later day of the plan is superseded, whether that one is queued yet or not.
 * A document has one reminder a day, so the days up to that of the reminder have no other.
 */
export const IS_STILL_DUE = statement<
  OfCompany & { readonly mailId: number; readonly oldest: PlainDate; readonly today: PlainDate }
>(
  'reminders: still due',
  `select from document_reminders r
     join company_reminders plan on plan.company_id = r.company_id
     join documents d on d.company_id = r.company_id and d.id = r.document_id
     ${CLIENT}
    where r.company_id = :companyId and r.mail_id = :mailId and d.due_date + r.days >= :oldest and r.days = any(plan.days)
      and not exists (
        select from unnest(plan.days) as later (days) where later.days > r.days
           and d.due_date + later.days > r.reminder_date and d.due_date + later.days <= :today)
      and ${ASKS_FOR_PAYMENT} and ${IS_WANTED}`,
);

const LISTED_MAX = 200;

export const LIST_REMINDERS = statement<OfDocument, ReminderRow>(
  'reminders: list',
  `select r.reminder_date as date, r.days, r.mail_id as "mailId", m.recipient, m.status, m.failure, r.skipped,
          r.created_at as "createdAt"
     from document_reminders r left join document_mails m on m.company_id = r.company_id and m.id = r.mail_id
    where r.company_id = :companyId and r.document_id = :documentId
    order by r.reminder_date desc limit ${LISTED_MAX}`,
);

export const NEXT_REMINDER = statement<OfDocument & { readonly since: PlainDate }, NextReminder>(
  'reminders: next',
  `select d.due_date + r.days as date, e.email
     from documents d ${CLIENT}
     join company_reminders plan on plan.company_id = d.company_id
    cross join unnest(plan.days) as r (days)
    where d.company_id = :companyId and d.id = :documentId and ${ASKS_FOR_PAYMENT} and ${IS_WANTED}
      and d.due_date + r.days >= :since and d.due_date + r.days > ${BEFORE_REMINDERS}
      and d.due_date + r.days <= '9999-12-31'
      and not exists (
        select from document_reminders before
         where before.company_id = :companyId and before.document_id = d.id and before.days >= r.days)
    order by r.days limit 1`,
);

export const IS_EXEMPT = statement<OfDocument>(
  'reminders: is exempt',
  'select from reminder_exemptions where company_id = :companyId and document_id = :documentId',
);

export const EXEMPT = statement<OfDocument & { readonly at: Date }>(
  'reminders: exempt',
  `insert into reminder_exemptions (company_id, document_id, created_at) values (:companyId, :documentId, :at)
   on conflict (company_id, document_id) do nothing`,
);

export const INCLUDE = statement<OfDocument>(
  'reminders: include',
  'delete from reminder_exemptions where company_id = :companyId and document_id = :documentId',
);
