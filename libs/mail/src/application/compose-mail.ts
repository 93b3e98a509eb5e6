import type { IssuedContent } from '@counterfoil/documents';
import {
  fileNameOf,
  labelsOf,
  mediaTypeOf,
  type PageChoice,
  pageLanguageOf,
  shownMoney,
  titleOf,
} from '@counterfoil/renditions';
import { type MailFacts, mailText } from '../domain/mail-text';
import type { MailMessage } from './ports/mail-server';
import type { ClaimedMail } from './ports/mails';

/**
 * Writes the message about an issued document to one recipient.
 *
 * @param pdf the pages that the mail chooses
 */
export function composeMail(mail: ClaimedMail, document: IssuedContent, pdf: Uint8Array): MailMessage {
  const { issuer } = document.parties;
  return {
    ...{ id: mail.id, messageId: mail.sendId, recipient: mail.recipient, date: mail.createdAt },
    ...{ to: mail.toAddresses, cc: mail.ccAddresses, fromName: issuer.name, replyTo: issuer.email },
    ...mailText(factsOf(document, mail), mail),
    attachments: [{ fileName: fileNameOf(document, 'pdf'), mediaType: mediaTypeOf('pdf'), content: pdf }],
  };
}

function factsOf(document: IssuedContent, choice: PageChoice): MailFacts {
  const language = pageLanguageOf(document, choice);
  const labels = labelsOf(language);
  const { issueDate, dueDate, totalWithTax, currency, parties } = document;
  const { name, phoneNumber, email, website } = parties.issuer;
  return {
    language,
    title: titleOf(document, labels),
    details: [
      [labels.issueDate, labels.shownDate(issueDate)],
      [labels.total, `${shownMoney(totalWithTax)} ${currency}`],
      ...(dueDate === null ? [] : [[labels.dueDate, labels.shownDate(dueDate)] as const]),
    ],
    issuer: name,
    contact: [phoneNumber, email, website].filter((line) => line !== null),
  };
}
