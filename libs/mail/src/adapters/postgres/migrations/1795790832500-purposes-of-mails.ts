import { buildIndex, Migration, type QueryRunner } from '@counterfoil/database';

/** Indexes mails by their purpose. Without a transaction, to allow writes. */
export class PurposesOfMails1795790832500 extends Migration {
  override readonly name = 'PurposesOfMails1795790832500';
  readonly transaction = false;

  override async up(runner: QueryRunner): Promise<void> {
    await buildIndex(
      runner,
      'document_mails_purpose_newest',
      'on document_mails (company_id, purpose, created_at desc, id desc)',
    );
  }
}
