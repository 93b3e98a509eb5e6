import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the logo of a company, which its documents show. In a table of its own, because files refer to companies. */
export class CompanyLogo1795790800000 extends Migration {
  override readonly name = 'CompanyLogo1795790800000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table company_logos (
    company_id bigint primary key references companies,
    file_id bigint not null references files
  )`,
  'create index company_logos_file on company_logos (file_id)',
  `create trigger audited after insert or update or delete on company_logos
     for each row execute function record_change('company_logo', 'company_id', '{}', '{company_id}', 'company_id')`,
];
