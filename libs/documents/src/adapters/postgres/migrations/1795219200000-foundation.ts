import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds companies and their keys, the outbox, parties, documents and webhooks. It belongs to documents, which
 * owns four of its twelve tables, more than any other context.
 */
export class Foundation1795219200000 extends Migration {
  override readonly name = 'Foundation1795219200000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...IDENTITY, ...OUTBOX, ...PARTIES, ...DOCUMENTS, ...WEBHOOKS]) {
      await runner.query(statement);
    }
  }
}

const IDENTITY = [
  `create table companies (
    id bigint generated always as identity primary key,
    name text not null,
    tax_id text,
    default_payment_term_type text not null default 'DAYS_ONLY',
    default_payment_term_days integer not null default 30,
    default_withholding_tax_rate numeric(7,4) not null default 0,
    default_vat_rate numeric(7,4) not null default 18,
    round_document_total text not null default 'none',
    created_at timestamptz not null
  )`,
  `create table users (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    name text not null,
    created_at timestamptz not null
  )`,
  'create index users_company on users (company_id)',
  `create table api_keys (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    user_id bigint not null references users,
    role text not null,
    key_hash bytea not null constraint api_keys_hash unique,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  'create index api_keys_company on api_keys (company_id, id)',
];

const OUTBOX = [
  `create table outbox_events (
    sequence bigint generated always as identity primary key,
    id text not null constraint outbox_events_id unique,
    company_id bigint not null references companies,
    type text not null,
    body text not null,
    created_at timestamptz not null,
    relayed_at timestamptz
  )`,
  // The relay reads only events that are not relayed yet, so its cost does not grow with the history.
  'create index outbox_events_unrelayed on outbox_events (sequence) where relayed_at is null',
];

const PARTIES = [
  `create table entities (
    id bigint generated always as identity primary key,
    visible_id uuid not null constraint entities_visible_id unique,
    company_id bigint not null references companies,
    is_client boolean not null default false,
    is_vendor boolean not null default false,
    name text not null,
    tax_id text not null,
    type text not null,
    email text,
    phone_number text,
    payment_term_type text,
    payment_term_days integer,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  'create index entities_company on entities (company_id, id)',
];

const DOCUMENTS = [
  // One row for each company and type. It is locked while a number is taken, so that numbers have no gaps
  // (contract §8.4).
  `create table document_counters (
    company_id bigint not null references companies,
    type text not null,
    last_number bigint not null,
    primary key (company_id, type)
  )`,
  `create table documents (
    id bigint generated always as identity primary key,
    visible_id uuid not null constraint documents_visible_id unique,
    company_id bigint not null references companies,
    type text not null,
    number bigint not null,
    external_id text,
    entity_id bigint not null references entities,
    retainer_id bigint,
    issue_date date not null,
    due_date date,
    currency text not null,
    amount numeric(14,2) not null,
    tax numeric(14,2) not null,
    total_with_tax numeric(14,2) not null,
    status text not null,
    remaining_amount numeric(14,2) not null,
    covered_amount numeric(14,2) not null,
    tax_authority_approval_number text,
    approval_number_status text,
    cancelled boolean not null default false,
    notes text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint documents_number unique (company_id, type, number),
    constraint documents_remaining check (remaining_amount >= 0 and covered_amount >= 0)
  )`,
  'create unique index documents_external_id on documents (company_id, external_id) where external_id is not null',
  // The document list: latest issue date first (contract §2.4).
  'create index documents_newest on documents (company_id, issue_date desc, id desc)',
  'create index documents_entity on documents (company_id, entity_id, issue_date desc, id desc)',
  `create table document_items (
    document_id bigint not null references documents,
    position integer not null,
    description text not null,
    quantity numeric(14,4) not null,
    unit_price numeric(14,4) not null,
    discount_percent numeric(7,4) not null,
    vat_rate numeric(7,4) not null,
    product_id bigint,
    line_total numeric(14,2) not null,
    primary key (document_id, position)
  )`,
  `create table document_payments (
    document_id bigint not null references documents,
    position integer not null,
    method text not null,
    amount numeric(14,2) not null,
    date date not null,
    primary key (document_id, position)
  )`,
];

const WEBHOOKS = [
  `create table webhook_endpoints (
    id text primary key,
    company_id bigint not null references companies,
    url text not null,
    events text[] not null,
    secret_sealed text not null,
    created_at timestamptz not null,
    deleted_at timestamptz
  )`,
  'create index webhook_endpoints_company on webhook_endpoints (company_id, created_at) where deleted_at is null',
  `create table webhook_deliveries (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    endpoint_id text not null references webhook_endpoints,
    event_id text not null references outbox_events (id),
    event_type text not null,
    state text not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    created_at timestamptz not null,
    finished_at timestamptz,
    constraint webhook_deliveries_once unique (endpoint_id, event_id)
  )`,
  // The sweep reads only pending deliveries.
  `create index webhook_deliveries_due on webhook_deliveries (next_attempt_at)
    where state in ('pending', 'waiting')`,
  `create index webhook_deliveries_open on webhook_deliveries (endpoint_id)
    where state in ('pending', 'waiting')`,
  `create table webhook_attempts (
    delivery_id bigint not null references webhook_deliveries,
    attempt integer not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    status integer,
    failure text,
    response text,
    primary key (delivery_id, attempt)
  )`,
];
