import { advisoryLock, statement } from '@counterfoil/database';
import { RETAINER_ACTOR } from '@counterfoil/documents';
import { endOf, type Lease, nextInTurns, renewalOf, retriedWork } from '@counterfoil/leased-work';
import type {
  ClaimedMail,
  CountedMails,
  MailCount,
  MailEnd,
  NewMails,
  QueuedMail,
  WaitingMail,
} from '../../application/ports/mails';
import type { MailRecord } from '../../application/ports/mail.reader';
import { MAIL_COLUMNS } from './mail.list';

const TABLE = {
  name: 'document_mails',
  key: 'id',
  token: 'lease_token',
  until: 'lease_until',
  due: 'next_attempt_at',
  open: "work.status = 'queued'",
  payload: `id, company_id as "companyId", document_id as "documentId", send_id as "sendId", recipient,
    to_addresses as "toAddresses", cc_addresses as "ccAddresses", subject, message, language, stamp, purpose, sent_by as "sentBy",
    attempts,
    created_at as "createdAt", waits_since as "waitsSince", handed_over_at is not null as "wasHandedOver", lease_token as "leaseToken"`,
};

const PRESENT = { present: ['leaseToken'] } as const;

/** Nothing is sent for a suspended company. A scalar subquery, because `exists` would be joined before the limit. */
const isActive = (company: string) =>
  `(select c.suspended_at is null from companies c where c.id = ${company})`;

/** Not in turns: a job claims the next mail of all, whichever it was signalled for. */
const WORK = retriedWork<ClaimedMail>(TABLE, PRESENT, isActive('work.company_id'));
export const DUE_MAILS = WORK.due;
export const MAIL_BACKLOG = WORK.backlog;

export const CLAIM_NEXT_MAIL = nextInTurns<ClaimedMail>(
  { ...TABLE, inTurnsOf: 'company_id' },
  PRESENT,
  isActive,
);

export const RENEW_MAILS = renewalOf(TABLE);

/** The mail is due again when its worker is certainly not about to record the answer. */
export const BEGIN_HAND_OVER = statement<Lease & { readonly now: Date; readonly lostAt: Date }>(
  'document_mails: begin hand-over',
  `update document_mails set handed_over_at = :now, next_attempt_at = :lostAt
    where id = :key and lease_token = :token and status = 'queued' and handed_over_at is null`,
);

/** The server has not got the message, or has refused it, so it may be sent again. */
export const RETRY_MAIL = endOf<{ readonly dueAt: Date; readonly response: string }>(TABLE, 'retry', [
  'attempts = attempts + 1',
  'next_attempt_at = :dueAt',
  'response = :response',
  'handed_over_at = null',
  'waits_since = null',
]);

export const RELEASE_MAIL = endOf<{ readonly dueAt: Date }>(TABLE, 'release', [
  'next_attempt_at = :dueAt',
  'handed_over_at = null',
]);

/** Only a withdrawn mail ends without an attempt. */
export const FINISH_MAIL = endOf<MailEnd>(TABLE, 'finish', [
  `attempts = attempts + case when :failure::text is distinct from 'withdrawn' then 1 else 0 end`,
  'status = :status',
  'failure = :failure',
  'response = :response',
  'next_attempt_at = null',
  'finished_at = :at',
]);

export const INSERT_MAILS = statement<Omit<NewMails, 'recipients'> & InsertedRecipients, QueuedMail>(
  'document_mails: insert',
  `insert into document_mails (company_id, document_id, send_id, recipient, kind, to_addresses, cc_addresses, subject,
     message, language, stamp, sent_by, created_at, next_attempt_at)
   select :companyId, :documentId, :sendId, r.address, r.kind, :to, :cc, :subject, :message, :language, :stamp, :sentBy,
          :createdAt, :createdAt
     from unnest(:addresses::text[], :kinds::text[]) with ordinality as r (address, kind, place) order by r.place
   returning id, recipient`,
);

interface InsertedRecipients {
  readonly companyId: number;
  readonly addresses: readonly string[];
  readonly kinds: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** Of the mails `mail`. */
const COUNTS = `count(*)::int as mails, count(*) filter (where purpose = 'reminder')::int as reminders`;

/** Counts up to a number of the queued mails of a company. Those of retainers may wait for days. */
export const COUNT_QUEUED = statement<{ readonly companyId: number; readonly atMost: number }, MailCount>(
  'document_mails: count queued',
  `select ${COUNTS} from (
     select purpose from document_mails
      where company_id = :companyId and status = 'queued' and sent_by <> '${RETAINER_ACTOR}' limit :atMost) mail`,
);

/** Mails of a company are queued one call after the other, so that all of them count. */
export const LOCK_MAILS = statement<{ readonly companyId: number }>(
  'document_mails: lock company',
  `select ${advisoryLock('pg_advisory_xact_lock', 'mails', ':companyId')}`,
);

/**
 * Mails of retainers count when they are sent, because they wait for the limit; all others when they are queued. A mail
 * that is about to be sent also leaves room for the older ones that another worker is about to decide on.
 */
export const COUNT_OF_DAY = statement<CountedMails & { readonly companyId: number }, MailCount>(
  'document_mails: count of day',
  `select ${COUNTS} from (
     select purpose from document_mails
      where company_id = :companyId and created_at > now() - interval '24 hours' and sent_by <> '${RETAINER_ACTOR}'
        and failure is distinct from 'withdrawn'
     union all
     select purpose from document_mails
      where company_id = :companyId and finished_at > now() - interval '24 hours' and sent_by = '${RETAINER_ACTOR}'
        and failure is distinct from 'withdrawn'
     union all
     select purpose from document_mails
      where company_id = :companyId and status = 'queued' and lease_until is not null
        and (lease_until > now() and (granted_lease = lease_token or id < :leavesRoomBefore)
             or handed_over_at is not null) and sent_by = '${RETAINER_ACTOR}'
     limit :atMost) mail`,
);

/** The grant ends with the lease. */
export const GRANT_ROOM = statement<Lease>(
  'document_mails: grant room',
  `update document_mails set granted_lease = lease_token
    where id = :key and lease_token = :token and status = 'queued'`,
);

/** Whether an older mail of a retainer waits for the limit of 24 hours. */
export const IS_BEHIND_WAITING = statement<MailKey, { readonly isBehind: boolean }>(
  'document_mails: is behind waiting',
  `select exists (
     select from document_mails
      where company_id = :companyId and id < :id and status = 'queued' and waits_since is not null
        and handed_over_at is null and (lease_until is null or lease_until < now())) as "isBehind"`,
);

/** Ends the lease of a mail, and lets all mails of retainers of the company that nobody sends wait as long. */
export const WAIT_FOR_ROOM = statement<Pick<MailKey, 'companyId'> & Pick<Lease, 'token'> & WaitingMail>(
  'document_mails: wait for room',
  `update document_mails
      set next_attempt_at = :until, waits_since = coalesce(waits_since, :since), response = :response,
          lease_token = null, lease_until = null
    where company_id = :companyId and sent_by = '${RETAINER_ACTOR}' and status = 'queued' and handed_over_at is null
      and (lease_token = :token
           or next_attempt_at < :until and (lease_until is null or lease_until < clock_timestamp()))`,
);

interface MailKey {
  readonly companyId: number;
  readonly id: number;
}

export const FIND_MAIL = statement<{ readonly companyId: number; readonly id: number }, MailRecord>(
  'document_mails: find',
  `select ${MAIL_COLUMNS} from document_mails m join documents d on d.id = m.document_id
    where m.company_id = :companyId and m.id = :id`,
);
