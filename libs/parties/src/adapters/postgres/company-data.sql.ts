import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const PARTIES_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'entity_contacts',
    rows: 't.entity_id in (select id from entities where company_id = $1)',
    erasure: { why: 'persons', removes: true },
  },
  { table: 'contacts', erasure: { why: 'persons', removes: true } },
  { table: 'addresses', erasure: { why: 'documents contain copies of those that they show', removes: true } },
  {
    table: 'entities',
    erasure: {
      why: 'documents, expenses and payments name the client or vendor, with its tax data',
      sets: {
        ...{ email: 'null', phone_number: 'null', address_id: 'null', logo_file_id: 'null' },
        ...{ bank_number: 'null', branch_number: 'null', account_number: 'null', credit_limit: 'null' },
        has_contacts: 'false',
      },
      setsUnused: {
        ...{
          name: `'erased'`,
          tax_id: `''`,
          accounting_customer_number: 'null',
          vendor_internal_code: 'null',
        },
        ...{ ledger_entity_account_key: 'null', tax_deductions_file_number: 'null' },
        ...{ withholding_certificate_number: 'null', withholding_file_id: 'null' },
      },
    },
  },
  {
    table: 'entity_counts',
    notExported: 'a counter of the service',
    erasure: { why: 'counts the parties that are left' },
  },
];
