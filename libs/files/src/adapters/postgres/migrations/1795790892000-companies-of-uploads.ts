import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the company to uploads, so that its erasure finds them. Null: begun or deleted by an earlier release. */
export class CompaniesOfUploads1795790892000 extends Migration {
  override readonly name = 'CompaniesOfUploads1795790892000';

  override async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table file_uploads add column company_id bigint');
  }
}
