import type { ChargeStatus } from './charge';

export const PAYMENT_PAGE_STATUSES = ['OPEN', 'PENDING', 'PAID'] as const;
/** `PENDING` while somebody's charge is being settled; a page that was paid stays `PAID`, refunded or not. */
export type PaymentPageStatus = (typeof PAYMENT_PAGE_STATUSES)[number];

const AFTER: Readonly<Record<ChargeStatus, PaymentPageStatus>> = {
  PENDING: 'PENDING',
  AUTHORIZED: 'PAID',
  SUCCEEDED: 'PAID',
  FAILED: 'OPEN',
  CANCELED: 'OPEN',
};

/** @param lastCharge the status of the last charge on the page; null before the first */
export function pageStatusAfter(lastCharge: ChargeStatus | null): PaymentPageStatus {
  return lastCharge === null ? 'OPEN' : AFTER[lastCharge];
}
