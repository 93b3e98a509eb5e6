import {
  type AskedSending,
  RetainerMails,
  type RetainerSending,
  type SentByRetainer,
} from '@counterfoil/documents';
import type { Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { RecipientKind } from '../domain/mail';
import { QueueMails, recipientsFor } from './queue-mails';

/** Mails the documents of retainers by the rules of a call that sends one (contract §8.14, §8.18). */
@Injectable()
export class MailRetainerDocuments extends RetainerMails {
  constructor(private readonly queueMails: QueueMails) {
    super();
  }

  override async check(companyId: number, { sending, documents }: AskedSending): Promise<RetainerSending> {
    const recipients = recipientsFor(sending, 'send.to');
    this.queueMails.assertServer();
    await this.queueMails.assertRoom(companyId, recipients.length * documents);
    const of = (kind: RecipientKind) =>
      recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
    return { ...sending, to: of('to'), cc: of('cc') };
  }

  override async queue(
    tx: Transaction,
    companyId: number,
    { documentId, sending, sentBy }: SentByRetainer,
  ): Promise<void> {
    const { subject, message } = sending;
    const recipients = recipientsFor(sending, 'send.to');
    const content = { subject, message, language: null, stamp: 'original' } as const;
    await this.queueMails.execute(tx, companyId, { ...content, documentId, recipients, sentBy });
  }
}
