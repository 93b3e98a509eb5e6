import type { CompanyTable } from '@counterfoil/company-data';

/** What an export and an erasure of a company do with the tables of this lib. */
export const OUTBOX_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'outbox_events',
    erasure: {
      why: 'copies of data, for receivers that there are not any more',
      removes: true,
      walks: 'sequence',
    },
  },
];
