import type { PlainDate } from '@counterfoil/kernel';
import { type DocumentType, mayHaveAllocationNumber } from './document-type';

/**
 * From the day `from`, a tax invoice over `amount` needs an allocation number. In ILS before VAT, with 2
 * decimals.
 */
export interface AllocationNumberThreshold {
  readonly from: PlainDate;
  readonly amount: number;
}

/** The fields that determine whether a document needs an allocation number. `amount` is before VAT. */
export interface AllocationNumberSubject {
  readonly type: DocumentType;
  readonly issueDate: PlainDate;
  readonly currency: string;
  readonly amount: number;
  readonly tax: number;
}

/**
 * Without the number the customer may not deduct the VAT. A `PATOOR` does not deduct VAT, so it needs no
 * number.
 */
type CustomerType = 'MURSHE' | 'COMPANY' | 'PATOOR';

/**
 * True if the document needs an allocation number (contract §8.13): a tax invoice with VAT, to a customer who
 * may deduct it, strictly over the threshold on the issue date. The order of `thresholds` does not matter.
 * Before the first threshold no document needs a number.
 *
 * Thresholds are in ILS. A document in another currency never needs a number here, because there is no rate
 * for the comparison.
 */
export function needsAllocationNumber(
  { type, issueDate, currency, amount, tax }: AllocationNumberSubject,
  customerType: CustomerType,
  thresholds: readonly AllocationNumberThreshold[],
): boolean {
  if (!mayHaveAllocationNumber(type) || customerType === 'PATOOR') return false;
  if (currency !== 'ILS' || tax <= 0) return false;
  const threshold = thresholdOn(issueDate, thresholds);
  return threshold !== null && amount > threshold.amount;
}

/** Returns the threshold on a day, which is the latest that has started. Null before the first. */
function thresholdOn(
  day: PlainDate,
  thresholds: readonly AllocationNumberThreshold[],
): AllocationNumberThreshold | null {
  return thresholds.reduce<AllocationNumberThreshold | null>(
    (latest, next) => (next.from <= day && next.from > (latest?.from ?? '') ? next : latest),
    null,
  );
}
