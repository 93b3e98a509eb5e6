import { Migration, type QueryRunner } from '@counterfoil/database';

/** Records under which lease a mail of a retainer got room within the limit of 24 hours. */
export class GrantedMails1795790891000 extends Migration {
  override readonly name = 'GrantedMails1795790891000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table document_mails add column granted_lease uuid',
  // Without the new column, which only the worker needs.
  `create or replace trigger audited after insert or update or delete on document_mails
     for each row execute function record_change(
       'document_mail', 'id', '{}',
       '{id,company_id,created_at,to_addresses,cc_addresses,subject,message,sent_by,attempts,next_attempt_at,handed_over_at,lease_token,lease_until,granted_lease}',
       'company_id')`,
];
