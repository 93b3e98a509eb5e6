import { sum, toMoney } from '@counterfoil/kernel';
import { type Credited, TAX_ROUNDING_MAX } from './credited';
import { type DraftDocument, withTotal } from './draft-document';
import { roundingOf } from './totals';

/**
 * A credit note is not rounded by itself. The one that credits the last of a document takes over the rest of its
 * rounding, and none credits more than is left because the document was rounded down.
 *
 * @param invoice the credited document
 * @param before the sum of its other credit notes
 */
export function completedNote(note: DraftDocument, invoice: Credited, before: Credited): DraftDocument {
  const left = toMoney(sum([invoice.totalWithTax, -before.totalWithTax]));
  const rest = toMoney(sum([invoice.amount, -before.amount, -note.amount]));
  const taxRest = toMoney(sum([invoice.tax, -before.tax, -note.tax]));
  const isLast = rest === 0 && Math.abs(taxRest) <= TAX_ROUNDING_MAX;
  const excess = toMoney(sum([note.totalWithTax, -left]));
  const isOnlyRounding = excess > 0 && excess <= toMoney(sum([-roundingOf(invoice), TAX_ROUNDING_MAX]));
  return isLast || isOnlyRounding ? withTotal(note, Math.max(0, left)) : note;
}
