import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the sessions of browsers. Each belongs to a key, and is removed when it ends. */
export class Sessions1795790700000 extends Migration {
  override readonly name = 'Sessions1795790700000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table sessions (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    api_key_id bigint not null references api_keys,
    token_hash bytea not null constraint sessions_token unique,
    user_agent text,
    address text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index sessions_of_company on sessions (company_id, id)',
  'create index sessions_of_key on sessions (api_key_id, id)',
  `create trigger audited after insert or update or delete on sessions
     for each row execute function record_change(
       'session', 'id', '{token_hash}', '{id,company_id,created_at}', 'company_id')`,
];
