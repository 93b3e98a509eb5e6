import type { IssuedContent } from '@counterfoil/documents';
import {
  fileNameOf,
  labelsOf,
  mediaTypeOf,
  pageLanguageOf,
  shownMoney,
  titleOf,
} from '@counterfoil/renditions';
import { MAIL_WORDS, type MailFacts, mailText } from '../domain/mail-text';
import { oneLine } from '../domain/one-line';
import { mailableAddress } from './addresses';
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
    ...{ to: mail.toAddresses, cc: mail.ccAddresses, fromName: oneLine(issuer.name) },
    replyTo: mailableAddress(issuer.email),
    isAutomatic: mail.sentBy.startsWith('system:'),
    ...mailText(factsOf(document, mail), mail),
    attachments: [{ fileName: fileNameOf(document, 'pdf'), mediaType: mediaTypeOf('pdf'), content: pdf }],
  };
}

function factsOf(document: IssuedContent, mail: ClaimedMail): MailFacts {
  const { purpose } = mail;
  const language = pageLanguageOf(document, mail);
  const labels = labelsOf(language);
  const title = titleOf(document, labels);
  const { issueDate, dueDate, totalWithTax, remainingAmount, currency, parties } = document;
  const amount = (value: number) => `${shownMoney(value)} ${currency}`;
  const left = [MAIL_WORDS[language].leftToPay, amount(remainingAmount)] as const;
  const { name, phoneNumber, email, website } = parties.issuer;
  return {
    language,
    purpose,
    title: document.cancelled ? `${title} (${labels.cancelled})` : title,
    details: [
      [labels.issueDate, labels.shownDate(issueDate)],
      [labels.total, amount(totalWithTax)],
      ...(purpose === 'reminder' ? [left] : []),
      ...(dueDate === null ? [] : [[labels.dueDate, labels.shownDate(dueDate)] as const]),
    ],
    issuer: name,
    contact: [phoneNumber, email, website].filter((line) => line !== null),
  };
}
