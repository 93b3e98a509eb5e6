import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const AUDIT_LOG_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'audit_log', erasure: { why: 'proves who changed the books; it is never changed' } },
  { table: 'audit_staged', erasure: { why: 'entries that are about to be appended to the log' } },
  { table: 'audit_removals', erasure: { why: 'belongs to the log' } },
];
