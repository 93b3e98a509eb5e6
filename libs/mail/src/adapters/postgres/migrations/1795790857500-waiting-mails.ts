import { Migration, type QueryRunner } from '@counterfoil/database';

/** Records since when a mail of a retainer has waited for the limit of 24 hours. */
export class WaitingMails1795790857500 extends Migration {
  override readonly name = 'WaitingMails1795790857500';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table document_mails add column waits_since timestamptz');
  }
}
