import type { CompanyTable } from '@counterfoil/company-data';

/** What an export and an erasure of a company do with the tables of this lib. */
export const AUDIT_LOG_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'audit_log', erasure: { why: 'proves who changed the books; it is never changed' } },
  { table: 'audit_staged', erasure: { why: 'entries that are about to be appended to the log' } },
  { table: 'audit_removals', erasure: { why: 'belongs to the log' } },
];
