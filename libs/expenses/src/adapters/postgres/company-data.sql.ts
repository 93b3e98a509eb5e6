import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const EXPENSES_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'expenses', erasure: { why: 'the books of what the company has spent' } },
  {
    table: 'cost_counts',
    notExported: 'a counter of the service',
    erasure: { why: 'counts the expenses' },
  },
  { table: 'exchange_rates', erasure: { why: 'the basis of amounts in the books; no personal data' } },
  {
    table: 'rate_arrivals',
    notExported: 'work of the service',
    erasure: { why: 'work that is not done any more', removes: true },
  },
  {
    table: 'reading_requests',
    leftOut: { claim_id: SECRET },
    erasure: { why: 'what was read is in the expenses', removes: true },
  },
  { table: 'receipt_readings', erasure: { why: 'what was read is in the expenses', removes: true } },
];
