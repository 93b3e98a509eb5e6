import { sum, toMoney } from '@counterfoil/kernel';
import { roundingOf, type Totals } from './totals';

/** The sums of an invoice, or of its credit notes. */
export type Credited = Omit<Totals, 'lineTotals'>;

/**
 * VAT is rounded once for each document, so the VAT of several notes may differ from that of the invoice by
 * an agora for each note.
 */
export const TAX_ROUNDING_MAX = 0.05;

/**
 * Returns the reason if a note credits more than is left, or null. The total of a rounded invoice may differ
 * from the sum of amount and VAT, so these are checked too: their sum may exceed the invoice only by the
 * rounding of VAT.
 */
export function excessOf(note: Credited, invoice: Credited, before: Credited): string | null {
  const left = toMoney(sum([invoice.totalWithTax, -before.totalWithTax]));
  if (note.totalWithTax > left) return `has ${left} left to credit, and this credits ${note.totalWithTax}`;
  if (roundingOf(invoice) === 0) return null;
  const amountLeft = toMoney(sum([invoice.amount, -before.amount]));
  const taxLeft = toMoney(sum([invoice.tax, -before.tax]));
  const excess = toMoney(sum([note.amount, note.tax, -amountLeft, -taxLeft]));
  if (excess <= (note.amount > amountLeft ? 0 : TAX_ROUNDING_MAX)) return null;
  return `has ${amountLeft} and VAT of ${taxLeft} left to credit, and this credits ${note.amount} and ${note.tax}`;
}
