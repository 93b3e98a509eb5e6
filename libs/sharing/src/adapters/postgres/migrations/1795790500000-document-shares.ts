import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the links to documents, and their views. */
export class DocumentShares1795790500000 extends Migration {
  override readonly name = 'DocumentShares1795790500000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table document_shares (
    company_id bigint not null references companies,
    id bigint generated always as identity,
    document_id bigint not null references documents,
    -- Part of the link, which is signed: this alone opens nothing.
    public_id uuid not null,
    stamp text not null constraint document_shares_stamp check (stamp in ('original', 'copy')),
    language text constraint document_shares_language check (language in ('he', 'en')),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    created_by text not null,
    created_at timestamptz not null,
    primary key (company_id, id),
    constraint document_shares_public_id unique (company_id, public_id)
  )`,
  // The links of a document, in their order; and the number of those that are open.
  'create index document_shares_document on document_shares (company_id, document_id, id)',
  `create trigger audited after insert or update or delete on document_shares
     for each row execute function record_change(
       'document_share', 'id', '{}', '{id,company_id,created_at,public_id}', 'company_id')`,
  // Apart from the links, because each view changes it. There is room in each page for the next version of its rows.
  `create table document_share_views (
    company_id bigint not null references companies,
    share_id bigint not null,
    views bigint not null,
    first_viewed_at timestamptz not null,
    last_viewed_at timestamptz not null,
    reported_at timestamptz not null,
    reported_views bigint not null,
    primary key (company_id, share_id),
    constraint document_share_views_share foreign key (company_id, share_id)
      references document_shares (company_id, id)
  ) with (fillfactor = 50)`,
];
