import { decimal, sum, toMoney } from '@counterfoil/kernel';
import type { DocumentHeader } from './document';
import type { DocumentType } from './document-type';

/** The withholding of a vendor on the issue date of a document. It is kept with the document. */
export interface Withholding {
  /** In percent, above 0. */
  readonly rate: number;
  /** `with_vat`: from the total. `without_vat`: from the amount before VAT. */
  readonly base: 'with_vat' | 'without_vat';
}

/** The withholding with what it comes to. */
export interface Withheld extends Withholding {
  readonly amount: number;
}

/** Whether the company pays the recipient. All other types ask the recipient to pay, or show what it paid. */
export const isPaidByCompany = (type: DocumentType): boolean => type === 'ORDER';

/** Changes neither the total nor what settles it: the tax that is withheld is a part of the payment. */
export function withheldFrom(
  { amount, totalWithTax }: Pick<DocumentHeader, 'amount' | 'totalWithTax'>,
  { rate, base }: Withholding,
): Withheld {
  const from = base === 'with_vat' ? totalWithTax : amount;
  return { rate, base, amount: toMoney(decimal(from).times(rate).times(0.01)) };
}

/** The rest of the total, which the vendor gets. */
export function payableAfter(totalWithTax: number, withheld: Withheld): number {
  return toMoney(sum([totalWithTax, -withheld.amount]));
}
