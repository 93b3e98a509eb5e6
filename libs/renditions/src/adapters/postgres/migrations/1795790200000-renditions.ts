import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the files made of issued documents. */
export class Renditions1795790200000 extends Migration {
  override readonly name = 'Renditions1795790200000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table renditions (
      company_id bigint not null references companies,
      document_id bigint not null references documents,
      variant text not null,
      sha256 bytea not null,
      content bytea not null,
      created_at timestamptz not null,
      primary key (company_id, document_id, variant)
    )`);
    // A PDF is compressed already.
    await runner.query('alter table renditions alter column content set storage external');
  }
}
