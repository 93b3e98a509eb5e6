import { Migration, type QueryRunner } from '@counterfoil/database';

/** Records which documents have been handed over as the original, so that later ones are copies. */
export class DocumentOriginals1795790861000 extends Migration {
  override readonly name = 'DocumentOriginals1795790861000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table document_originals (
    company_id bigint not null references companies,
    document_id bigint not null references documents,
    taken_at timestamptz not null,
    primary key (company_id, document_id)
  )`,
  // The originals that earlier releases have handed over. It reads rows without locks.
  `insert into document_originals (company_id, document_id, taken_at)
   select company_id, document_id, min(created_at) from (
     select company_id, document_id, created_at from document_mails where stamp = 'original'
     union all
     select company_id, document_id, created_at from document_shares where stamp = 'original'
   ) handed_over
   group by company_id, document_id`,
];
