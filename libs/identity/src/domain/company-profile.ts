import type { DocumentLanguage, PostalAddress } from '@counterfoil/kernel';

/** An account into which clients pay. */
export interface BankAccount {
  /** The name of the bank, or its number. */
  readonly bank: string;
  readonly branch: string | null;
  readonly account: string;
  readonly iban: string | null;
}

/** The particulars of a company that its documents show beside its name and tax id (contract §4.7). */
export interface CompanyProfile {
  /** The registered name, if it differs from the name under which the company trades. */
  readonly legalName: string | null;
  readonly address: PostalAddress | null;
  readonly phoneNumber: string | null;
  readonly email: string | null;
  readonly website: string | null;
  readonly bankAccounts: readonly BankAccount[];
  /** A text at the foot of each page. */
  readonly documentFooter: string | null;
  /** The colour of lines and titles, `#rrggbb`. */
  readonly accentColor: string | null;
  /** An image among the files of the company. */
  readonly logoFileId: number | null;
  /** Null: Hebrew if a text of the document is Hebrew, otherwise English. */
  readonly documentLanguage: DocumentLanguage | null;
}

export const NO_PROFILE: CompanyProfile = {
  legalName: null,
  address: null,
  phoneNumber: null,
  email: null,
  website: null,
  bankAccounts: [],
  documentFooter: null,
  accentColor: null,
  logoFileId: null,
  documentLanguage: null,
};
