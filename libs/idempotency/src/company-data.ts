import type { CompanyTable } from '@counterfoil/company-data';

/** What an export and an erasure of a company do with the tables of this lib. */
export const IDEMPOTENCY_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'idempotency_keys',
    leftOut: { fingerprint: 'compares repeated calls' },
    erasure: { why: 'copies of answers, for calls that nobody repeats any more', removes: true },
  },
];
