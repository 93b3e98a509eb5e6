import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the files of statements of account, which are kept for a short time. */
export class StatementFiles1795790834000 extends Migration {
  override readonly name = 'StatementFiles1795790834000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table statement_files (
    company_id bigint not null references companies,
    -- A hash of all that the file shows.
    variant text not null,
    sha256 bytea not null,
    content bytea not null,
    created_at timestamptz not null,
    primary key (company_id, variant)
  )`,
  // A PDF is compressed already.
  'alter table statement_files alter column content set storage external',
  'create index statement_files_created_at on statement_files (created_at)',
];
