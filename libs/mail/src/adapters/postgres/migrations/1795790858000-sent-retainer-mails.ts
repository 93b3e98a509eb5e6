import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** For the limit of 24 hours: mails of retainers count when they are sent, all others when they are queued. */
export class SentRetainerMails1795790858000 extends Migration {
  override readonly name = 'SentRetainerMails1795790858000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'document_mails_retainers_finished',
      `on document_mails (company_id, finished_at) where sent_by = 'system:recurring-billing'`,
    );
    await buildIndex(
      runner,
      'document_mails_others_created',
      `on document_mails (company_id, created_at) where sent_by <> 'system:recurring-billing'`,
    );
    await buildIndex(
      runner,
      'document_mails_waiting',
      `on document_mails (company_id, id) where status = 'queued' and waits_since is not null`,
    );
  }
}
