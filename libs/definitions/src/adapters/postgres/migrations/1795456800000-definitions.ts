import { Migration, type QueryRunner } from '@counterfoil/database';

/** Definitions of companies: custom fields, execution statuses of documents, saved reports. */
export class Definitions1795456800000 extends Migration {
  override readonly name = 'Definitions1795456800000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...DEFINITIONS, ...LISTS]) await runner.query(statement);
  }
}

const DEFINITIONS = [
  `create table custom_fields (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    name text not null,
    applies_to text collate "C" not null,
    field_type text collate "C" not null,
    created_at timestamptz not null
  )`,
  `create table document_execution_statuses (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    name text not null,
    color text collate "C" constraint document_execution_statuses_color check (color ~ '^#[0-9A-Fa-f]{6}$'),
    created_at timestamptz not null
  )`,
  `create table saved_reports (
    id bigint generated always as identity primary key,
    company_id bigint not null references companies,
    name text not null,
    -- Not jsonb, which would put the keys in an order of its own.
    filters json not null constraint saved_reports_filters check (json_typeof(filters) = 'object'),
    created_at timestamptz not null
  )`,
];

/** The list of each, by company and oldest first, batch by batch. */
const LISTS = [
  'create index custom_fields_company on custom_fields (company_id, id)',
  'create index document_execution_statuses_company on document_execution_statuses (company_id, id)',
  'create index saved_reports_company on saved_reports (company_id, id)',
];
