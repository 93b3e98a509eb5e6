import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const SHARING_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'document_share_views', erasure: { why: 'counts of links that are removed', removes: true } },
  {
    table: 'document_shares',
    erasure: { why: 'links to documents, which nobody may open any more', removes: true },
  },
];
