import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds schedules, and retainers that run by them. It belongs to documents, because `scheduling`, which owns
 * the schedules, knows no context.
 */
export class Retainers1795449600000 extends Migration {
  override readonly name = 'Retainers1795449600000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `create table schedules (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    kind text not null constraint schedules_kind check (kind in ('RETAINER', 'RECURRING_PAYMENT')),
    interval text not null constraint schedules_interval check (interval in ('WEEKLY', 'MONTHLY', 'YEARLY')),
    first_run_date date not null,
    -- All dates are counted from the first, so that a short month does not shorten those after it.
    runs integer not null default 0,
    next_run_date date not null,
    -- Of the next run: how often it came to nothing, when it may be tried again, and why it was refused.
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    refusal_code text,
    refusal_message text,
    ended_at timestamptz,
    constraint schedules_company unique (company_id, id),
    constraint schedules_refusal check ((refusal_code is null) = (refusal_message is null))
  )`,
  'create index schedules_due on schedules (next_run_date) where ended_at is null',
  'create index schedules_due_of_company on schedules (company_id, next_run_date, id) where ended_at is null',
  // The lock on the schedule already prevents a run from being done twice. This key is a second safeguard.
  `create table scheduled_runs (
    schedule_id bigint not null references schedules,
    run_date date not null,
    done_at timestamptz not null,
    constraint scheduled_runs_pkey primary key (schedule_id, run_date)
  )`,
  `create table retainers (
    id bigint not null primary key,
    company_id bigint not null references companies,
    entity_id bigint not null references entities,
    document_type text not null,
    currency text not null,
    -- As it was asked for: what was left out is filled in when a document is issued.
    items json not null,
    -- Lists are read by as much as fits, and not by as many: one may have a thousand items.
    items_bytes integer not null generated always as (octet_length(items::text)) stored,
    created_at timestamptz not null,
    constraint retainers_schedule foreign key (company_id, id) references schedules (company_id, id)
  )`,
  'create index retainers_company on retainers (company_id, id)',
  'alter table documents add constraint documents_retainer_id_fkey foreign key (retainer_id) references retainers',
  'create index documents_retainer on documents (retainer_id, id) where retainer_id is not null',
];
