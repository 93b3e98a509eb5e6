import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes the mails that are due by company, and those that are being sent. Without a transaction, to allow writes. */
export class TurnsOfMails1795790855000 extends Migration {
  override readonly name = 'TurnsOfMails1795790855000';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'document_mails_turns',
      `on document_mails (company_id, next_attempt_at, id) where status = 'queued'`,
    );
    await buildIndex(
      runner,
      'document_mails_leased',
      `on document_mails (company_id) where status = 'queued' and lease_until is not null`,
    );
    // A claim chose it, and read all mails that were due.
    await runner.query('drop index concurrently if exists document_mails_due');
  }
}
