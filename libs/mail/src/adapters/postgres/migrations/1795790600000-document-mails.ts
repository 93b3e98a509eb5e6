import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the mails with issued documents: one row for each recipient of a call. */
export class DocumentMails1795790600000 extends Migration {
  override readonly name = 'DocumentMails1795790600000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table document_mails (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    document_id bigint not null references documents,
    -- The same for all recipients of a call.
    send_id text collate "C" not null,
    recipient text not null,
    kind text not null constraint document_mails_kind check (kind in ('to', 'cc')),
    to_addresses text[] not null,
    cc_addresses text[] not null,
    subject text,
    message text,
    language text,
    stamp text not null,
    sent_by text not null,
    created_at timestamptz not null,
    status text not null default 'queued'
      constraint document_mails_status check (status in ('queued', 'accepted', 'failed')),
    failure text constraint document_mails_failure check (failure in ('refused', 'expired', 'uncertain')),
    response text,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    -- Set before the server gets the last byte. The mail is not sent again after that, unless the server refuses it.
    handed_over_at timestamptz,
    finished_at timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    constraint document_mails_once unique (send_id, recipient),
    constraint document_mails_end check (
      (status = 'queued') = (finished_at is null) and (status = 'queued') = (next_attempt_at is not null)
      and (status = 'failed') = (failure is not null))
  )`,
  `create index document_mails_due on document_mails (next_attempt_at) where status = 'queued'`,
  'create index document_mails_newest on document_mails (company_id, created_at desc, id desc)',
  'create index document_mails_status_newest on document_mails (company_id, status, created_at desc, id desc)',
  // Without the texts, and without what only the worker needs.
  `create trigger audited after insert or update or delete on document_mails
     for each row execute function record_change(
       'document_mail', 'id', '{}',
       '{id,company_id,created_at,to_addresses,cc_addresses,subject,message,sent_by,attempts,next_attempt_at,handed_over_at,lease_token,lease_until}',
       'company_id')`,
  'create index document_mails_document on document_mails (document_id, created_at desc, id desc)',
];
