import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds ordered changes of documents, settlements, idempotency keys and allocation numbers. */
export class DocumentLifeCycle1795262400000 extends Migration {
  override readonly name = 'DocumentLifeCycle1795262400000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      ...CHANGES,
      ...COUNTS,
      ...OPENING,
      ...SETTLEMENTS,
      ...IDEMPOTENCY_KEYS,
      ...APPROVALS,
      ...LISTS,
    ]) {
      await runner.query(statement);
    }
  }
}

const CHANGES = [
  'alter table documents add column change_number bigint',
  `update documents d set change_number = numbered.change_number
     from (select id, row_number() over (partition by company_id order by updated_at, id) as change_number
             from documents) numbered
    where numbered.id = d.id`,
  // destructive: no release was without the column
  'alter table documents alter column change_number set not null',
  // The bucket whose row in `document_change_counts` still counts the document; null if none does.
  'alter table documents add column counted_bucket bigint',
  // The order of the change feed, with the columns that counting needs.
  'create unique index documents_feed on documents (company_id, change_number, id) include (counted_bucket)',
  // Finds the start of a feed that begins at a time.
  'create index documents_changed_at on documents (company_id, updated_at, change_number)',
];

/**
 * The number of documents last changed within each bucket of 512 changes. With it, the number of documents
 * after a position in the feed is mostly a sum. The row at the start of a bucket covers all buckets before
 * it. Later changes are counted separately, and `documents.counted_bucket` names the row that still counts
 * the document. A row that every change updates would be simpler, but PostgreSQL keeps all its versions while
 * any old transaction is open, and every page of the feed would scan them.
 */
const COUNTS = [
  `create table document_change_counts (
    company_id bigint not null references companies,
    bucket bigint not null,
    -- By bucket, from the first on, of those before the row's own.
    documents integer[] not null,
    primary key (company_id, bucket)
  )`,
  `create function count_document_changes(company bigint, until_bucket bigint) returns void language sql as $$
     with last as (
       select coalesce(c.bucket, 0) as bucket, c.documents
         from (select 1) always
         left join lateral (select * from document_change_counts where company_id = company
                             order by bucket desc limit 1) c on true
     ), since as (
       select d.change_number >> 9 as bucket, d.counted_bucket
         from documents d, last
        where d.company_id = company and d.change_number >= last.bucket << 9
          and d.change_number < until_bucket << 9
     ), counts as (
       select counted.position - 1 as bucket, counted.documents
         from last, unnest(last.documents) with ordinality as counted (documents, position)
       union all select bucket, 1 from since
       union all select counted_bucket, -1 from since where counted_bucket is not null
     ), summed as (
       select bucket, sum(documents) as documents from counts group by bucket
     )
     insert into document_change_counts (company_id, bucket, documents)
     select company, until_bucket,
            array(select coalesce(summed.documents, 0)
                    from generate_series(0, until_bucket - 1) b (bucket) left join summed using (bucket)
                   order by b.bucket);
     delete from document_change_counts c where c.company_id = company and c.bucket < until_bucket
   $$`,
  `select count_document_changes(company_id, (max(change_number) + 1) >> 9) from documents
    group by company_id having max(change_number) >= 511`,
];

/**
 * A transaction that changes documents of a company first opens a change, which locks the company's documents
 * until it ends. So changes are numbered in commit order: a consumer of the feed can rely on the numbers
 * without missing a change, and document numbers have no gaps.
 *
 * The next number is the last one plus one, read under the lock. A counter row would be simpler, but
 * PostgreSQL keeps all its versions while any old transaction is open, and each later transaction would scan
 * them, so counting would become slower. These are functions, because each statement of a function takes a
 * new snapshot and so sees the state after the lock was acquired. A single statement would see the state from
 * before it waited.
 */
const OPENING = [
  `create function lock_documents(company bigint) returns void language sql as $$
     select pg_advisory_xact_lock(hashtextextended('documents', company))
   $$`,
  `create function open_document_change(company bigint, out change_number bigint, out at timestamptz)
   language plpgsql as $$
   begin
     perform lock_documents(company);
     select d.change_number, d.updated_at into change_number, at
       from documents d where d.company_id = company order by d.change_number desc limit 1;
     change_number := coalesce(change_number, 0) + 1;
     if change_number >> 9 > 0 and not exists (
       select from document_change_counts c where c.company_id = company and c.bucket = change_number >> 9
     ) then
       perform count_document_changes(company, change_number >> 9);
     end if;
     -- Never backwards, whatever the clock does.
     at := greatest(at, date_trunc('milliseconds', clock_timestamp()));
   end $$`,
  // `taken` is `key` if a call with the key is running or has been answered, and `external id` if a document
  // has that id. Both are read under the lock, because an earlier call may have been a first try of this
  // call, and may have settled the same documents.
  `create function open_document_issuance(company bigint, document_type text, asked_external_id text,
     retry_key text, key_lock bigint, call_high integer, call_low integer,
     out change_number bigint, out at timestamptz, out number bigint, out id bigint, out taken text)
   language plpgsql as $$
   begin
     if retry_key is not null then
       -- Only there to be seen, and shared: calls with other keys may ask for the very same. First, so that whoever has
       -- the key is seen with it.
       perform pg_try_advisory_xact_lock_shared(call_high, call_low);
       if not pg_try_advisory_xact_lock(key_lock) then
         taken := 'key';
         return;
       end if;
     end if;
     select c.change_number, c.at into change_number, at from open_document_change(company) c;
     if exists (select from idempotency_keys k where k.company_id = company and k.key = retry_key) then
       taken := 'key';
     elsif exists (
       select from documents d where d.company_id = company and d.external_id = asked_external_id
     ) then
       taken := 'external id';
     else
       select d.number into number
         from documents d where d.company_id = company and d.type = document_type order by d.number desc limit 1;
       number := coalesce(number, 0) + 1;
       id := nextval('documents_id_seq');
     end if;
   end $$`,
  // destructive: no release used the table
  'drop table document_counters',
];

const SETTLEMENTS = [
  'alter table documents add column refund_of bigint references documents',
  'alter table documents add column cancellation_reason text',
  'create index documents_refund_of on documents (refund_of) where refund_of is not null',
  // The amount by which a document settled another: a receipt an invoice, an invoice the order that it
  // covers.
  `create table document_settlements (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    settling_id bigint not null references documents,
    settled_id bigint not null references documents,
    kind text not null,
    amount numeric(14,2) not null,
    created_at timestamptz not null,
    reversed_at timestamptz
  )`,
  'create index document_settlements_settling on document_settlements (settling_id)',
  'create index document_settlements_settled on document_settlements (settled_id)',
];

const IDEMPOTENCY_KEYS = [
  `create table idempotency_keys (
    company_id bigint not null references companies,
    key text not null,
    fingerprint bytea not null,
    response text not null,
    created_at timestamptz not null,
    primary key (company_id, key)
  )`,
  // For the purge of expired keys.
  'create index idempotency_keys_created_at on idempotency_keys (created_at)',
];

const APPROVALS = [
  // The documents whose allocation number is still to be requested.
  `create table document_approvals (
    document_id bigint primary key references documents,
    company_id bigint not null references companies,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    lease_token uuid,
    lease_until timestamptz
  )`,
  'create index document_approvals_due on document_approvals (next_attempt_at)',
  // The latest refresh token from the authority, by the hash of the configured token that it replaces.
  // Encrypted. Tokens are random and long, so their hashes reveal nothing.
  `create table tax_authority_tokens (
    configured_hash bytea primary key,
    token_hash bytea not null,
    token_sealed text not null
  )`,
];

const LISTS = [
  // The searched text in lower case. A case-insensitive comparison at every search would take ten times as
  // long.
  `alter table documents add column search_text text not null generated always as (
    lower(number::text || E'\\n' || coalesce(external_id, '') || E'\\n'
      || coalesce(tax_authority_approval_number, '') || E'\\n' || coalesce(notes, ''))) stored`,
  'create index documents_type on documents (company_id, type, issue_date desc, id desc)',
  'create index documents_status on documents (company_id, status, issue_date desc, id desc)',
];
