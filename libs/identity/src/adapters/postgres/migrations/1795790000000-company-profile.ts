import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the particulars of a company that its documents show. */
export class CompanyProfile1795790000000 extends Migration {
  override readonly name = 'CompanyProfile1795790000000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  `alter table companies
     add column legal_name text,
     add column address jsonb,
     add column phone_number text,
     add column email text,
     add column website text,
     add column bank_accounts jsonb not null default '[]',
     add column document_footer text,
     add column accent_color text,
     add column document_language text`,
  // With the new columns.
  `create or replace trigger audited
     after insert or delete or update of id, name, tax_id, default_payment_term_type, default_payment_term_days,
       default_withholding_tax_rate, default_vat_rate, round_document_total, books_closed_until, suspended_at,
       erasure_began_at, erased_at, records_kept_until, legal_name, address, phone_number, email, website,
       bank_accounts, document_footer, accent_color, document_language on companies
     for each row execute function record_change('company', 'id', '{}', '{id,created_at}', 'id')`,
];
