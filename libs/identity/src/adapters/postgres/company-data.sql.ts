import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const IDENTITY_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'companies',
    rows: 't.id = $1',
    erasure: {
      why: 'names, tax id and address of the issuer are part of its documents',
      sets: { phone_number: 'null', email: 'null', website: 'null', bank_accounts: `'[]'::jsonb` },
    },
  },
  { table: 'company_logos', erasure: { why: 'a setting for documents to come', removes: true } },
  {
    table: 'company_reminders',
    erasure: { why: 'nobody is reminded for the company any more', removes: true },
  },
  {
    table: 'users',
    erasure: { why: 'expenses, files and movements refer to them', sets: { name: `'erased user'` } },
  },
  {
    table: 'sessions',
    leftOut: { token_hash: SECRET },
    erasure: { why: 'nobody calls for the company any more', removes: true },
  },
  {
    table: 'api_keys',
    leftOut: { key_hash: SECRET },
    erasure: { why: 'nobody calls for the company any more', removes: true },
  },
  { table: 'company_limits', erasure: { why: 'settings of the operator', removes: true } },
  {
    table: 'company_operations',
    notExported: 'notes of the operator, which are not shown to the company',
    erasure: { why: 'prove who suspended, exported and erased the company' },
  },
];
