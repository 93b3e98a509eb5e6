import { Migration, type QueryRunner } from '@counterfoil/database';

/**
 * Adds the state of a company, and what operators did with it. An operator's reason is not for the company, so
 * the entries about `company_operations` belong to the log of the installation.
 */
export class CompanyOperations1795780000000 extends Migration {
  override readonly name = 'CompanyOperations1795780000000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `alter table companies
     add column suspended_at timestamptz,
     add column erasure_began_at timestamptz,
     add column erased_at timestamptz,
     add column records_kept_until date,
     add constraint companies_erased_while_suspended check (erasure_began_at is null or suspended_at is not null)
       not valid`,
  `create table company_operations (
     id bigint generated always as identity primary key,
     company_id bigint not null references companies (id),
     operation text not null check (operation in ('suspend', 'resume', 'export', 'erase')),
     operator text not null,
     reason text,
     began_at timestamptz not null,
     ended_at timestamptz,
     result jsonb,
     check ((ended_at is null) = (result is null))
   )`,
  // For the foreign key, and for the operations of a company in their order.
  'create index company_operations_company on company_operations (company_id, id)',
  // With the new columns.
  `create or replace trigger audited
     after insert or delete or update of id, name, tax_id, default_payment_term_type, default_payment_term_days,
       default_withholding_tax_rate, default_vat_rate, round_document_total, books_closed_until, suspended_at,
       erasure_began_at, erased_at, records_kept_until on companies
     for each row execute function record_change('company', 'id', '{}', '{id,created_at}', 'id')`,
  `create trigger audited after insert or update or delete on company_operations
     for each row execute function record_change('company_operation', 'id', '{}', '{id,began_at}', 'none')`,
];
