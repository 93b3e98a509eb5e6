import type { CompanyTable } from '@counterfoil/company-data';

/** What an export and an erasure of a company do with the tables of this lib. */
export const DEFINITIONS_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'custom_fields', erasure: { why: 'settings', removes: true } },
  { table: 'document_execution_statuses', erasure: { why: 'settings', removes: true } },
  { table: 'saved_reports', erasure: { why: 'settings', removes: true } },
];
