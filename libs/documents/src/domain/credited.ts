import { decimal, sum, toMoney } from '@counterfoil/kernel';
import { roundingOf, type Totals } from './totals';

/** The sums of an invoice, or of its credit notes. */
export type Credited = Omit<Totals, 'lineTotals'>;

/** The sums of the credit notes of an invoice, and their number. */
export interface CreditedSoFar extends Credited {
  readonly count: number;
}

/** For half an agora of each rate of each note and of the invoice. */
const TAX_ROUNDING_OF_NOTE = 0.02;
const EXCESS_MAX = 0.05;

/**
 * Returns by how much the VAT of several notes may differ from that of the invoice, because VAT is rounded once for each
 * document.
 */
export const taxRoundingOf = (notes: number): number => toMoney(decimal(TAX_ROUNDING_OF_NOTE).times(notes));

/** The same for a note that credits VAT beyond that of a rounded invoice. */
export const excessMaxOf = (notes: number): number => Math.max(EXCESS_MAX, taxRoundingOf(notes));

/**
 * Returns the reason if a note credits more than is left, or null. The total of a rounded invoice may differ
 * from the sum of amount and VAT, so these are checked too: their sum may exceed the invoice only by the
 * rounding of VAT.
 */
export function excessOf(note: Credited, invoice: Credited, before: CreditedSoFar): string | null {
  const left = toMoney(sum([invoice.totalWithTax, -before.totalWithTax]));
  if (note.totalWithTax > left) return `has ${left} left to credit, and this credits ${note.totalWithTax}`;
  if (roundingOf(invoice) === 0) return null;
  const amountLeft = toMoney(sum([invoice.amount, -before.amount]));
  const taxLeft = toMoney(sum([invoice.tax, -before.tax]));
  const excess = toMoney(sum([note.amount, note.tax, -amountLeft, -taxLeft]));
  if (excess <= (note.amount > amountLeft ? 0 : excessMaxOf(before.count + 1))) return null;
  return `has ${amountLeft} and VAT of ${taxLeft} left to credit, and this credits ${note.amount} and ${note.tax}`;
}
