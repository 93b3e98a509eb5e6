import { daysAfter, endOfMonth, type PlainDate } from './plain-date';

export const PAYMENT_TERM_TYPES = ['CURRENT_PLUS_DAYS', 'DAYS_ONLY'] as const;
/**
 * `CURRENT_PLUS_DAYS` counts from the end of the document's month, `DAYS_ONLY` from the document's own date.
 */
export type PaymentTermType = (typeof PAYMENT_TERM_TYPES)[number];

export interface PaymentTerm {
  readonly type: PaymentTermType;
  readonly days: number;
}

/** The due date of a document with this issue date. */
export function dueDateOf(issueDate: PlainDate, { type, days }: PaymentTerm): PlainDate {
  return daysAfter(type === 'CURRENT_PLUS_DAYS' ? endOfMonth(issueDate) : issueDate, days);
}
