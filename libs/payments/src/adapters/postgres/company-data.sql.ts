import { type CompanyTable, SECRET } from '@counterfoil/company-data';

/** The tables of this lib, for the export and the erasure of a company. */
export const PAYMENTS_COMPANY_DATA: readonly CompanyTable[] = [
  {
    table: 'payment_methods',
    leftOut: { sealed_token: SECRET },
    erasure: {
      why: 'a charge names the card by brand and last digits; its token is removed, and so are cards without charges',
      removes: true,
      sets: { sealed_token: 'null', saved: 'false', detached_at: 'coalesce(t.detached_at, now())' },
    },
  },
  {
    table: 'payment_pages',
    leftOut: { page_key: SECRET },
    erasure: {
      why: 'a charge names the page on which it was paid; its link is removed, and so are pages without charges',
      removes: true,
      sets: { page_key: `'erased-' || t.id` },
    },
  },
  {
    table: 'recurring_payments',
    leftOut: { fingerprint: 'compares repeated calls' },
    erasure: {
      why: 'a charge names the recurring payment that made it',
      removes: true,
      sets: { idempotency_key: 'null', fingerprint: 'null' },
    },
  },
  { table: 'charges', erasure: { why: 'records of payments' } },
  {
    table: 'charge_operations',
    leftOut: { provider_key: SECRET, lease_token: SECRET, fingerprint: 'compares repeated calls' },
    erasure: {
      why: 'records of payments, as the provider has them',
      waitsFor: {
        rows: `t.state = 'PENDING'`,
        what: 'charges, captures or refunds whose outcome is not known yet',
      },
      sets: { idempotency_key: 'null', fingerprint: 'null' },
      scans: 'id',
    },
  },
];
