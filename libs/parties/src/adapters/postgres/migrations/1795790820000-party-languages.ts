import { Migration, type QueryRunner } from '@counterfoil/database';

/** Adds the language of printed documents to a party. Null is the language of the company. */
export class PartyLanguages1795790820000 extends Migration {
  override readonly name = 'PartyLanguages1795790820000';

  override async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }
}

const STATEMENTS = [
  'alter table entities add column document_language text',
  // With the new column.
  `create or replace trigger audited
     after insert or delete or update of id, visible_id, company_id, is_client, is_vendor, name, tax_id, type, email, phone_number, address_id,
       logo_file_id, payment_term_type, payment_term_days, ledger_entity_account_key, special_vat, credit_limit,
       round_document_total, document_language, bank_number, branch_number, account_number,
       accounting_customer_number, vendor_internal_code, tax_deductions_file_number, withholding_tax_rate,
       withholding_certificate_number, withholding_valid_from, withholding_valid_until, withholding_base,
       withholding_file_id on entities
     for each row execute function record_change('party', 'id', '{}',
       '{id,company_id,created_at,updated_at,name_key,tax_id_key,email_key,has_contacts}', 'company_id')`,
];
