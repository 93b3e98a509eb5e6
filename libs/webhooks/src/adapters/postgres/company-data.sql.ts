import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const WEBHOOKS_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'webhook_endpoints',
    leftOut: { secret_sealed: SECRET, former_secrets: SECRET },
    erasure: { why: 'nothing is delivered any more', removes: true },
  },
  {
    table: 'webhook_deliveries',
    rows: 't.endpoint_id in (select id from webhook_endpoints where company_id = $1)',
    leftOut: { lease_token: SECRET },
    erasure: {
      why: 'nothing is delivered any more',
      removes: true,
      noting: 'delete from webhook_attempts a using removed where a.delivery_id = removed.id',
    },
  },
  {
    table: 'webhook_attempts',
    rows: `t.delivery_id in (
             select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
              where e.company_id = $1)`,
    erasure: { why: 'nothing is delivered any more', removedWith: 'webhook_deliveries' },
  },
  // After the deliveries, whose removal adds rows.
  {
    table: 'webhook_delivery_counts',
    notExported: 'counts deliveries, which are exported',
    erasure: { why: 'nothing is delivered any more', removes: true },
  },
  { table: 'webhook_replays', erasure: { why: 'nothing is delivered any more', removes: true } },
  {
    table: 'webhook_budgets',
    notExported: 'a counter of the service',
    erasure: { why: 'nothing is delivered any more', removes: true },
  },
];
