import { Migration, type QueryRunner } from '@counterfoil/database';

/** Records which documents have been handed over as the original, so that later ones are copies. */
export class DocumentOriginals1795790861000 extends Migration {
  override readonly name = 'DocumentOriginals1795790861000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table document_originals (
      company_id bigint not null references companies,
      document_id bigint not null references documents,
      taken_at timestamptz not null,
      primary key (company_id, document_id)
    )`);
  }
}
