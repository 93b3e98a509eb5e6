import type { PlainDate } from '@counterfoil/kernel';
import type { PartyDetails, WithholdingBase } from './party';

/** The rate at which tax is withheld, in percent and above 0, and the amount from which it is withheld. */
export interface WithholdingTerms {
  readonly rate: number;
  readonly base: WithholdingBase;
}

type OwnTerms = Pick<
  PartyDetails,
  'withholdingTaxRate' | 'withholdingValidFrom' | 'withholdingValidUntil' | 'withholdingBase'
>;

/**
 * Returns the terms that are in force on a day: the vendor's own rate within the period of its certificate, and outside of
 * it the higher one of this rate and that of the company, because no certificate lowers it. A period without a first or a
 * last day is open on that side. Null if nothing is withheld.
 */
export function withholdingOn(day: PlainDate, own: OwnTerms, companyRate: number): WithholdingTerms | null {
  const { withholdingValidFrom: from, withholdingValidUntil: until } = own;
  const isCertified = (from === null || from <= day) && (until === null || day <= until);
  const ownRate = own.withholdingTaxRate ?? companyRate;
  const rate = isCertified ? ownRate : Math.max(ownRate, companyRate);
  return rate === 0 ? null : { rate, base: own.withholdingBase ?? 'with_vat' };
}
