import { asksForPayment, type DocumentHeader, isOpen } from '@counterfoil/documents';
import type { PlainDate } from '@counterfoil/kernel';

/** The state of a document today, as far as it concerns its recipient. */
export type Standing =
  | { readonly kind: 'ISSUED' | 'OPEN' | 'PAID' | 'SETTLED' | 'CLOSED' | 'CANCELLED' }
  /** The due date is null if there is none. */
  | { readonly kind: 'DUE'; readonly dueDate: PlainDate | null }
  | { readonly kind: 'OVERDUE'; readonly dueDate: PlainDate };

/** @param today the day in Israel */
export function standingOf(
  {
    type,
    status,
    dueDate,
    remainingAmount,
  }: Pick<DocumentHeader, 'type' | 'status' | 'dueDate' | 'remainingAmount'>,
  today: PlainDate,
): Standing {
  if (status === 'CANCELLED') return { kind: 'CANCELLED' };
  // Whether a receipt or a credit note is used up concerns only the company.
  if (type === 'RECEIPT' || type === 'REFUND' || type === 'RETURN') return { kind: 'ISSUED' };
  if (status === 'PAID') return { kind: 'PAID' };
  // A receipt or a credit note closes an invoice, too. One that is closed by hand may have an open amount.
  if (!isOpen(status)) return { kind: asksForPayment(type) && remainingAmount === 0 ? 'SETTLED' : 'CLOSED' };
  if (!asksForPayment(type)) return { kind: 'OPEN' };
  return dueDate !== null && dueDate < today ? { kind: 'OVERDUE', dueDate } : { kind: 'DUE', dueDate };
}
