import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const MAIL_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'document_mails',
    leftOut: { lease_token: SECRET },
    erasure: { why: 'addresses of people; no law keeps them', removes: true },
  },
  { table: 'document_reminders', erasure: { why: 'refer to mails, which are removed', removes: true } },
  { table: 'reminder_exemptions', erasure: { why: 'nobody is reminded any more', removes: true } },
  {
    table: 'reminder_progress',
    notExported: 'how far the worker has got',
    erasure: { why: 'nobody is reminded any more', removes: true },
  },
];
