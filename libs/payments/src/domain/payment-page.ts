import type { ChargeStatus } from './charge';

export const PAYMENT_PAGE_STATUSES = ['OPEN', 'PENDING', 'PAID'] as const;
/** `PENDING` while a charge is in progress. A page that was paid stays `PAID`, even after a refund. */
export type PaymentPageStatus = (typeof PAYMENT_PAGE_STATUSES)[number];

const AFTER: Readonly<Record<ChargeStatus, PaymentPageStatus>> = {
  PENDING: 'PENDING',
  AUTHORIZED: 'PAID',
  SUCCEEDED: 'PAID',
  FAILED: 'OPEN',
  CANCELED: 'OPEN',
};

/** @param lastCharge status of the last charge on the page; null if there is none */
export function pageStatusAfter(lastCharge: ChargeStatus | null): PaymentPageStatus {
  return lastCharge === null ? 'OPEN' : AFTER[lastCharge];
}
