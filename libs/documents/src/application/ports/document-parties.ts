import type { CompanyProfile } from '@counterfoil/identity';
import type { DocumentLanguage, PostalAddress } from '@counterfoil/kernel';
import type { Withholding } from '../../domain/withholding';

/** The issuer of a document, as a page of it shows the company. */
export interface DocumentIssuerDetails extends CompanyProfile {
  readonly name: string;
  readonly taxId: string | null;
}

/** The recipient of a document, as a page of it shows the party. */
export interface DocumentRecipient {
  readonly name: string;
  readonly taxId: string | null;
  readonly address: PostalAddress | null;
  /** Of its documents. Null: that of the issuer. Documents that an earlier release issued have none. */
  readonly documentLanguage?: DocumentLanguage | null;
  /** Only of a document from whose payment tax is withheld. */
  readonly withholding?: Withholding;
}

/**
 * Both parties of a document as they were when it was issued. Later changes of the company or of the party do not change
 * its pages.
 */
export interface DocumentParties {
  readonly issuer: DocumentIssuerDetails;
  readonly recipient: DocumentRecipient;
}
