import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const REQUEST_LOG_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'request_log', erasure: { why: 'reports of calls', removes: true } },
];
