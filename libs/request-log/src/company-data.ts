import type { CompanyTable } from '@counterfoil/company-data';

/** What an export and an erasure of a company do with the tables of this lib. */
export const REQUEST_LOG_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'request_log', erasure: { why: 'reports of calls', removes: true } },
];
