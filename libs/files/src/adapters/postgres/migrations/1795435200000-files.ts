import { Migration, type QueryRunner } from '@counterfoil/database';

/** Uploaded files, uploads under way, and the references of parties to files. */
export class Files1795435200000 extends Migration {
  override readonly name = 'Files1795435200000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...FILES, ...REFERENCES]) await runner.query(statement);
  }
}

const FILES = [
  `create table files (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    -- Who uploaded it.
    user_id bigint not null references users,
    -- Where its bytes are in the store.
    storage_key text collate "C" not null unique,
    file_name text not null,
    mime_type text collate "C" not null,
    size bigint not null constraint files_size check (size > 0),
    -- Of its bytes; hexadecimal, in lower case.
    sha256 text collate "C" not null constraint files_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
    created_at timestamptz not null
  )`,
  'create index files_company on files (company_id, id)',
  'create index files_content on files (company_id, sha256)',
  // Bytes in the store without a row in files have a row here, even if the process dies.
  `create table file_uploads (
    storage_key text collate "C" primary key,
    started_at timestamptz not null,
    -- Once it is set, the upload can no longer succeed, and its bytes may go.
    abandoned_at timestamptz
  )`,
  'create index file_uploads_started on file_uploads (started_at)',
];

/** Both columns contain only nulls so far. */
const REFERENCES = [
  `alter table entities
    add constraint entities_logo_file foreign key (logo_file_id) references files,
    add constraint entities_withholding_file foreign key (withholding_file_id) references files`,
];
