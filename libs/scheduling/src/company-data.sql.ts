import type { CompanyTable } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const SCHEDULING_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'schedules',
    erasure: {
      why: 'belong to the retainers and recurring payments that are kept; nothing runs any more',
      removes: true,
      sets: {
        ended_at: 'coalesce(t.ended_at, now())',
        ...{ refusal_code: 'null', refusal_message: 'null' },
      },
    },
  },
  {
    table: 'scheduled_runs',
    rows: 't.schedule_id in (select id from schedules where company_id = $1)',
    erasure: { why: 'the documents and charges that they made are kept', removes: true },
  },
];
