import { type DocumentHeader, isOpen, isPayable } from '@counterfoil/documents';
import type { PaymentPageRow } from '@counterfoil/payments';

/** A document can be paid on a page of the gateway, is being paid, or was paid there. */
export type WayToPay =
  | { readonly kind: 'PAYABLE'; readonly amount: number; readonly currency: string; readonly url: string }
  | { readonly kind: 'PENDING' | 'PAID'; readonly amount: number; readonly currency: string };

type Owed = Pick<DocumentHeader, 'type' | 'status' | 'remainingAmount' | 'currency'>;

/**
 * Null unless something of the document is left to pay (contract §8.17), and also if the page takes more than that, or
 * another currency: after a part was paid, nobody may pay the whole.
 *
 * @param url the address of the page; null if its provider is not configured any more
 */
export function wayToPay(
  { type, status, remainingAmount, currency }: Owed,
  page: Pick<PaymentPageRow, 'status' | 'amount' | 'currency'>,
  url: string | null,
): WayToPay | null {
  if (!isPayable(type) || !isOpen(status) || remainingAmount <= 0) return null;
  const asked = { amount: page.amount, currency: page.currency };
  if (page.status !== 'OPEN') return { kind: page.status, ...asked };
  if (url === null) return null;
  const isOfDebt = page.currency === currency && page.amount <= remainingAmount;
  return isOfDebt ? { kind: 'PAYABLE', ...asked, url } : null;
}

/** Whether a payer may be sent there: by TLS, or to this service itself, whose sandbox has pages. */
export function isSafePage(url: string, publicUrl: string): boolean {
  return url.startsWith('https://') || url.startsWith(`${publicUrl}/`);
}
