import { sum, toMoney } from '@counterfoil/kernel';
import { type Credited, type CreditedSoFar, excessMaxOf, taxRoundingOf } from './credited';
import { type DraftDocument, withTotal } from './draft-document';
import { roundingOf } from './totals';

/**
 * Completes a credit note, which has no rounding of its own. The note that credits the last part of a document gets the
 * rest of its total: the rest of its rounding, and of VAT that was rounded once for the document and again for each
 * note. If the document was rounded down, no note credits more than is left.
 *
 * @param invoice the credited document
 * @param before the sum of its other credit notes
 */
export function completedNote(note: DraftDocument, invoice: Credited, before: CreditedSoFar): DraftDocument {
  const notes = before.count + 1;
  const left = toMoney(sum([invoice.totalWithTax, -before.totalWithTax]));
  const rest = toMoney(sum([invoice.amount, -before.amount, -note.amount]));
  const taxRest = toMoney(sum([invoice.tax, -before.tax, -note.tax]));
  const isLast = rest === 0 && Math.abs(taxRest) <= taxRoundingOf(notes);
  const excess = toMoney(sum([note.totalWithTax, -left]));
  const rounding = roundingOf(invoice);
  const isOnlyRounding =
    rounding !== 0 && excess > 0 && excess <= toMoney(sum([-rounding, excessMaxOf(notes)]));
  return isLast || isOnlyRounding ? withTotal(note, Math.max(0, left)) : note;
}
