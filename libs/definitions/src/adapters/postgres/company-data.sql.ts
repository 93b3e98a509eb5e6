import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const DEFINITIONS_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'custom_fields', erasure: { why: 'settings', removes: true } },
  { table: 'document_execution_statuses', erasure: { why: 'settings', removes: true } },
  { table: 'saved_reports', erasure: { why: 'settings', removes: true } },
];
