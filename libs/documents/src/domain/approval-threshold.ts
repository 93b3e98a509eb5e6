import type { PlainDate } from '@counterfoil/kernel';
import { type DocumentType, mayHaveApprovalNumber } from './document-type';

/** From `from` on, a tax invoice over `amount` needs an allocation number. In ILS before VAT, 2 decimals. */
export interface ApprovalThreshold {
  readonly from: PlainDate;
  readonly amount: number;
}

/** The fields of a document that decide whether it needs an allocation number. `amount` is before VAT. */
export interface ApprovalSubject {
  readonly type: DocumentType;
  readonly issueDate: PlainDate;
  readonly currency: string;
  readonly amount: number;
  readonly tax: number;
}

/** Without the number the customer may not deduct the VAT, so it concerns only those who deduct: no `PATOOR`. */
type CustomerType = 'MURSHE' | 'COMPANY' | 'PATOOR';

/**
 * Whether the tax authority must give the document an allocation number (contract §8.13): a tax invoice with
 * VAT, to a dealer who may deduct it, strictly over the threshold in force on the issue date. The order of
 * `thresholds` does not matter; before the first of them none is needed.
 *
 * The thresholds are in ILS. A document in another currency never needs a number here: there is no rate to compare by.
 */
export function needsApprovalNumber(
  { type, issueDate, currency, amount, tax }: ApprovalSubject,
  customerType: CustomerType,
  thresholds: readonly ApprovalThreshold[],
): boolean {
  if (!mayHaveApprovalNumber(type) || customerType === 'PATOOR') return false;
  if (currency !== 'ILS' || tax <= 0) return false;
  const threshold = thresholdOn(issueDate, thresholds);
  return threshold !== null && amount > threshold.amount;
}

/** The threshold in force on the day: the latest that has begun. Null before the first. */
function thresholdOn(day: PlainDate, thresholds: readonly ApprovalThreshold[]): ApprovalThreshold | null {
  return thresholds.reduce<ApprovalThreshold | null>(
    (latest, next) => (next.from <= day && next.from > (latest?.from ?? '') ? next : latest),
    null,
  );
}
