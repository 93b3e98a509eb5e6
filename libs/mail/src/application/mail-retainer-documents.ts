import {
  type AskedSending,
  RETAINER_ACTOR,
  type RetainerDocument,
  RetainerMails,
  type RetainerSending,
} from '@counterfoil/documents';
import { type Transaction, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { RecipientKind } from '../domain/mail';
import { MailQuota } from './mail-quota';
import { QueueMails, recipientsFor } from './queue-mails';

const CONTENT = { language: null, stamp: null } as const;

/** Mails the documents of retainers by the rules of a call that sends one (contract §8.14, §8.18). */
@Injectable()
export class MailRetainerDocuments extends RetainerMails {
  constructor(
    private readonly queueMails: QueueMails,
    private readonly quota: MailQuota,
    private readonly transactions: Transactions,
  ) {
    super();
  }

  override async check(companyId: number, { sending, documents }: AskedSending): Promise<RetainerSending> {
    const recipients = recipientsFor(sending, 'send.to');
    this.queueMails.assertServer();
    const added = recipients.length * documents;
    await this.transactions.run((tx) => this.quota.assertRoomInQueue(tx, companyId, added));
    const of = (kind: RecipientKind) =>
      recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
    return { ...sending, to: of('to'), cc: of('cc') };
  }

  /** Beyond every limit, because a document does not wait for mails. That of 24 hours is checked before they are sent. */
  override async queue(
    tx: Transaction,
    { companyId, ...document }: RetainerDocument,
    { subject, message, ...addresses }: RetainerSending,
  ): Promise<void> {
    const recipients = recipientsFor(addresses, 'send.to');
    const mails = { ...CONTENT, subject, message, document, recipients, sentBy: RETAINER_ACTOR };
    await this.queueMails.execute(tx, companyId, mails);
  }
}
