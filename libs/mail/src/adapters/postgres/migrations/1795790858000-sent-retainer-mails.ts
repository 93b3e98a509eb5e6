import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the mails of retainers by their end: they count for the limit of 24 hours when they are sent. */
export class SentRetainerMails1795790858000 extends Migration {
  override readonly name = 'SentRetainerMails1795790858000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'document_mails_retainers_finished',
      `on document_mails (company_id, finished_at) where sent_by = 'system:recurring-billing'`,
    );
  }
}
