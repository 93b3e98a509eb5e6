import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds reminders: which were sent, how far each company has got, and the documents that get none. */
export class Reminders1795790832000 extends Migration {
  override readonly name = 'Reminders1795790832000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `alter table document_mails add column purpose text not null default 'document'
     constraint document_mails_purpose check (purpose in ('document', 'reminder'))`,
  'alter table document_mails drop constraint document_mails_failure',
  // Every row satisfies the narrower one, so nothing is read.
  `alter table document_mails add constraint document_mails_failure
     check (failure in ('refused', 'expired', 'uncertain', 'withdrawn')) not valid`,
  `create table document_reminders (
    company_id bigint not null references companies,
    document_id bigint not null references documents,
    -- The day on which it was queued.
    reminder_date date not null,
    -- After the due date.
    days integer not null,
    -- Null if there is no mail, for the reason in the next column.
    mail_id bigint references document_mails,
    skipped text constraint document_reminders_skipped check (skipped in ('no_address')),
    created_at timestamptz not null,
    primary key (company_id, document_id, reminder_date),
    constraint document_reminders_once unique (company_id, document_id, days),
    constraint document_reminders_mail check ((mail_id is null) = (skipped is not null))
  )`,
  'create index document_reminders_mail_id on document_reminders (mail_id) where mail_id is not null',
  `create table reminder_exemptions (
    company_id bigint not null references companies,
    document_id bigint not null references documents,
    created_at timestamptz not null,
    primary key (company_id, document_id)
  )`,
  // All reminders of a company up to this day are queued. A worker locks the row while it queues further ones.
  `create table reminder_progress (
    company_id bigint primary key references companies,
    queued_until date not null
  )`,
  `create trigger audited after insert or update or delete on reminder_exemptions
     for each row execute function record_change(
       'reminder_exemption', 'document_id', '{}', '{company_id,document_id,created_at}', 'company_id')`,
];
