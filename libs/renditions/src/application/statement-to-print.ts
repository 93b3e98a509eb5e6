import { type AccountStatement, partiesOf } from '@counterfoil/documents';
import type { Company } from '@counterfoil/identity';
import type { DocumentLanguage } from '@counterfoil/kernel';
import type { PartyEntry } from '@counterfoil/parties';
import { languageOf } from '../domain/rendition';
import { printableIssuer, printableRecipient } from './document-to-print';
import type { StatementContent } from './temporary-content';

/**
 * Both parties are shown as they are now, because a statement is of now. The bank accounts are left out if the client has
 * nothing to pay.
 */
export function statementContent(
  company: Company,
  client: PartyEntry,
  statement: AccountStatement,
  language: DocumentLanguage | null,
): StatementContent {
  const { issuer, recipient } = partiesOf(company, client);
  const names = [issuer.name, recipient.name];
  const printed = language ?? recipient.documentLanguage ?? issuer.documentLanguage ?? languageOf(names);
  return {
    language: printed,
    issuer: {
      ...printableIssuer(issuer, printed),
      ...(statement.closingBalance > 0 ? {} : { bankAccounts: [] }),
    },
    recipient: printableRecipient(recipient),
    statement,
    logoFileId: issuer.logoFileId,
  };
}
