import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const OUTBOX_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'outbox_events',
    erasure: {
      why: 'copies of data, for receivers that there are not any more',
      removes: true,
      scans: 'sequence',
    },
  },
];
