import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds cached readings of receipts, and the queue of requested readings. */
export class ReceiptReadings1795446000000 extends Migration {
  override readonly name = 'ReceiptReadings1795446000000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  // Cached for each company separately. Otherwise a company could find out whether another company has the
  // same file.
  `create table receipt_readings (
    company_id bigint not null references companies,
    sha256 text collate "C" not null constraint receipt_readings_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
    -- What an extension said the document is; empty where its bytes alone told.
    said_as text not null,
    reader_version text not null,
    -- As it was written: the order of the fields is the contract's.
    outcome json not null,
    read_at timestamptz not null,
    constraint receipt_readings_pkey primary key (company_id, sha256, said_as, reader_version)
  )`,
  `create table reading_requests (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    -- What makes two requests one while neither has an outcome.
    source text not null,
    file_id bigint references files,
    -- Gone with the outcome: it may hold a password of its own.
    url text,
    said_as text not null,
    asked_at timestamptz not null,
    claim_id uuid,
    claimed_until timestamptz,
    attempts integer not null default 0,
    outcome json,
    finished_at timestamptz,
    constraint reading_requests_of check (num_nonnulls(file_id, url) = case when outcome is null or file_id is not null
      then 1 else 0 end),
    constraint reading_requests_finished check ((outcome is null) = (finished_at is null))
  )`,
  'create index reading_requests_late on reading_requests (company_id, source)',
  'create index receipt_readings_read_at on receipt_readings (read_at)',
  'create unique index reading_requests_source on reading_requests (company_id, source) where outcome is null',
  'create index reading_requests_waiting on reading_requests (id) where outcome is null',
  'create index reading_requests_claimed on reading_requests (claim_id) where outcome is null and claim_id is not null',
  // Finds a vendor by a tax id, ignoring spaces and punctuation.
  `create index entities_vendors_plain_tax_id on entities (company_id, regexp_replace(tax_id_key, '[^a-z0-9]', '', 'g'))
    where is_vendor`,
  'create index reading_requests_finished_at on reading_requests (finished_at) where outcome is not null',
];
