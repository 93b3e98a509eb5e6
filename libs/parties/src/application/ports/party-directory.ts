import type { PostalAddress } from '@counterfoil/kernel';
import type { PartyDetails } from '../../domain/party';

/**
 * A party's identity and particulars, and the terms and language of documents to it. Null in a term, or as the language,
 * means the company's default.
 */
export type PartyEntry = Pick<
  PartyDetails,
  | 'name'
  | 'taxId'
  | 'type'
  | 'specialVat'
  | 'creditLimit'
  | 'roundDocumentTotal'
  | 'paymentTermType'
  | 'paymentTermDays'
  | 'documentLanguage'
  | 'withholdingTaxRate'
  | 'withholdingValidFrom'
  | 'withholdingValidUntil'
  | 'withholdingBase'
> & {
  readonly id: number;
  readonly visibleId: string;
  /** Also if it is a client as well. */
  readonly isVendor: boolean;
  readonly address: PostalAddress | null;
};

/** Looks parties up for other contexts. */
export abstract class PartyDirectory {
  /** Null when this company has no such party. Parties are never removed, so a result stays valid. */
  abstract find(companyId: number, partyId: number): Promise<PartyEntry | null>;
}
