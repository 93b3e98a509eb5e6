import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const IDEMPOTENCY_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'idempotency_keys',
    leftOut: { fingerprint: 'compares repeated calls' },
    erasure: { why: 'copies of answers, for calls that nobody repeats any more', removes: true },
  },
];
