import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const MAIL_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'document_mails',
    leftOut: { lease_token: SECRET },
    erasure: { why: 'addresses of people; no law keeps them', removes: true },
  },
];
