import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const RENDITIONS_COMPANY_DATA: readonly CompanyTable[] = [
  { table: 'renditions', erasure: { why: 'issued documents as they were handed over' } },
];
