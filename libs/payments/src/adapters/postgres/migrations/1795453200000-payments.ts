import { Migration, type QueryRunner } from '@counterfoil/database';

/** The payment gateway: saved cards, charges and the requests to providers, payment pages, recurring payments. */
export class Payments1795453200000 extends Migration {
  override readonly name = 'Payments1795453200000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  // No column holds a card number. The provider's token replaces it. The token is encrypted, and is deleted
  // with the card.
  `create table payment_methods (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    provider text not null,
    sealed_token text,
    brand text not null,
    last4 text not null constraint payment_methods_last4 check (last4 ~ '^[0-9]{4}$'),
    expiry_month integer not null constraint payment_methods_expiry check (expiry_month between 1 and 12),
    expiry_year integer not null,
    entity_id bigint references entities,
    -- False of a card that was used once, on a payment page.
    saved boolean not null,
    created_at timestamptz not null,
    detached_at timestamptz,
    constraint payment_methods_company unique (company_id, id)
  )`,
  'create index payment_methods_saved on payment_methods (company_id, id) where saved and detached_at is null',
  `create table payment_pages (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    -- Who knows it may pay.
    page_key text collate "C" not null constraint payment_pages_key unique,
    provider text not null,
    amount numeric(14,2) not null constraint payment_pages_amount check (amount > 0),
    currency text not null,
    description text not null,
    entity_id bigint references entities,
    created_at timestamptz not null,
    constraint payment_pages_company unique (company_id, id)
  )`,
  `create table recurring_payments (
    id bigint not null primary key,
    company_id bigint not null references companies,
    payment_method_id bigint not null,
    amount numeric(14,2) not null constraint recurring_payments_amount check (amount > 0),
    currency text not null,
    entity_id bigint references entities,
    idempotency_key text,
    fingerprint bytea,
    created_at timestamptz not null,
    constraint recurring_payments_fingerprint check ((idempotency_key is null) = (fingerprint is null)),
    constraint recurring_payments_schedule foreign key (company_id, id) references schedules (company_id, id),
    constraint recurring_payments_card foreign key (company_id, payment_method_id)
      references payment_methods (company_id, id)
  )`,
  'create index recurring_payments_company on recurring_payments (company_id, id)',
  `create unique index recurring_payments_retry on recurring_payments (company_id, idempotency_key)
    where idempotency_key is not null`,
  'create index recurring_payments_card on recurring_payments (payment_method_id)',
  `create table charges (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    payment_method_id bigint not null,
    payment_page_id bigint,
    recurring_payment_id bigint references recurring_payments,
    run_date date,
    entity_id bigint references entities,
    document_id bigint references documents,
    amount numeric(14,2) not null constraint charges_amount check (amount > 0),
    currency text not null,
    status text collate "C" not null constraint charges_status
      check (status in ('PENDING', 'AUTHORIZED', 'SUCCEEDED', 'FAILED', 'CANCELED')),
    captured_amount numeric(14,2) not null default 0,
    refunded_amount numeric(14,2) not null default 0,
    failure_code text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint charges_company unique (company_id, id),
    constraint charges_card foreign key (company_id, payment_method_id) references payment_methods (company_id, id),
    constraint charges_page foreign key (company_id, payment_page_id) references payment_pages (company_id, id),
    constraint charges_run unique (recurring_payment_id, run_date),
    constraint charges_run_date check ((recurring_payment_id is null) = (run_date is null)),
    constraint charges_failure check ((status = 'FAILED') = (failure_code is not null)),
    constraint charges_captured check (captured_amount between 0 and amount
      and (captured_amount > 0) = (status = 'SUCCEEDED')),
    constraint charges_refunded check (refunded_amount between 0 and captured_amount)
  )`,
  // A page can be paid only once, and only by one charge at a time.
  `create unique index charges_paying on charges (payment_page_id)
    where status in ('PENDING', 'AUTHORIZED', 'SUCCEEDED')`,
  'create index charges_of_page on charges (payment_page_id, id) where payment_page_id is not null',
  'create index charges_status on charges (company_id, status, id)',
  'create index charges_of_card on charges (company_id, payment_method_id, id)',
  'create index charges_of_entity on charges (company_id, entity_id, id)',
  'create index charges_of_document on charges (company_id, document_id, id) where document_id is not null',
  // Requests to a provider. Each is stored before it is sent, so that a lost answer can be asked for again.
  `create table charge_operations (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    charge_id bigint not null,
    kind text not null constraint charge_operations_kind
      check (kind in ('SALE', 'AUTHORIZATION', 'CAPTURE', 'VOID', 'REFUND')),
    amount numeric(14,2) not null constraint charge_operations_amount check (amount > 0),
    reason text,
    -- What the provider knows it by: the same however often it is asked.
    provider_key uuid not null constraint charge_operations_provider_key unique,
    state text not null constraint charge_operations_state check (state in ('PENDING', 'SUCCEEDED', 'FAILED')),
    failure_code text,
    idempotency_key text,
    fingerprint bytea,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    lease_token uuid,
    lease_until timestamptz,
    created_at timestamptz not null,
    settled_at timestamptz,
    constraint charge_operations_charge foreign key (company_id, charge_id) references charges (company_id, id),
    constraint charge_operations_failure check ((state = 'FAILED') = (failure_code is not null)),
    constraint charge_operations_settled check ((state = 'PENDING') = (settled_at is null)),
    constraint charge_operations_fingerprint check ((idempotency_key is null) = (fingerprint is null))
  )`,
  'create index charge_operations_of_charge on charge_operations (charge_id, id)',
  `create index charge_operations_due on charge_operations (next_attempt_at) where state = 'PENDING'`,
  `create unique index charge_operations_retry on charge_operations (company_id, idempotency_key)
    where idempotency_key is not null`,
  // The books of the sandbox provider. Like those of a real provider, they are separate from the data of the
  // service.
  `create table sandbox_orders (
    order_key uuid not null primary key,
    charge_key uuid not null,
    kind text not null,
    provider_token text not null,
    amount numeric(14,2) not null,
    currency text not null,
    approved boolean not null,
    captured boolean not null,
    failure_code text,
    -- How often it was sent.
    sent integer not null,
    created_at timestamptz not null default now()
  )`,
  'create index sandbox_orders_charge on sandbox_orders (charge_key)',
];
