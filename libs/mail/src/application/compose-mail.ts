import type { IssuedContent } from '@counterfoil/documents';
import {
  chosenRendition,
  ENGLISH,
  fileNameOf,
  HEBREW,
  type RenditionChoice,
  shownMoney,
} from '@counterfoil/renditions';
import { type MailFacts, mailText } from '../domain/mail-text';
import type { MailMessage } from './ports/mail-server';
import type { ClaimedMail } from './ports/mails';

/** The file that a mail carries. */
export function attachedFile({ stamp, language }: ClaimedMail): RenditionChoice {
  return { format: 'pdf', stamp, language };
}

/**
 * Writes the message about an issued document to one recipient.
 *
 * @param pdf the file that `attachedFile` chooses
 */
export function composeMail(mail: ClaimedMail, document: IssuedContent, pdf: Uint8Array): MailMessage {
  const { issuer } = document.parties;
  const choice = attachedFile(mail);
  return {
    ...{ id: mail.id, messageId: mail.sendId, recipient: mail.recipient, date: mail.createdAt },
    ...{ to: mail.toAddresses, cc: mail.ccAddresses, fromName: issuer.name, replyTo: issuer.email },
    ...mailText(factsOf(document, choice), mail),
    attachments: [
      { fileName: fileNameOf(document, choice.format), mediaType: 'application/pdf', content: pdf },
    ],
  };
}

function factsOf(document: IssuedContent, choice: RenditionChoice): MailFacts {
  const { language } = chosenRendition(document, choice);
  const labels = language === 'he' ? HEBREW : ENGLISH;
  const { type, number, issueDate, dueDate, totalWithTax, currency, parties } = document;
  const { name, phoneNumber, email, website } = parties.issuer;
  return {
    language,
    title: `${labels.types[type]} ${labels.number} ${number}`,
    details: [
      [labels.issueDate, labels.shownDate(issueDate)],
      [labels.total, `${shownMoney(totalWithTax)} ${currency}`],
      ...(dueDate === null ? [] : [[labels.dueDate, labels.shownDate(dueDate)] as const]),
    ],
    issuer: name,
    contact: [phoneNumber, email, website].filter((line) => line !== null),
  };
}
