import type { AccountStatement } from '@counterfoil/documents';
import type { DocumentLanguage } from '@counterfoil/kernel';
import type { PrintableIssuer, PrintableRecipient } from './printable-document';

/** Everything that the pages of a statement of account show. */
export interface PrintableStatement {
  readonly language: DocumentLanguage;
  readonly issuer: PrintableIssuer;
  readonly recipient: PrintableRecipient;
  readonly statement: AccountStatement;
}
