import {
  type AskedSending,
  type QueueRetainerMails,
  RetainerMails,
  type RetainerSending,
  type SentByRetainer,
} from '@counterfoil/documents';
import { Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import type { RecipientKind } from '../domain/mail';
import { assertPossible, MailQuota } from './mail-quota';
import { QueueMails, recipientsFor } from './queue-mails';

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
    const quota = await this.quota.of(companyId);
    // Also if the first document is of a later day: no document of it could be issued.
    assertPossible(quota, recipients.length);
    const asked = { quota, added: recipients.length * documents };
    await this.transactions.run((tx) => this.quota.assertRoom(tx, companyId, asked));
    const of = (kind: RecipientKind) =>
      recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
    return { ...sending, to: of('to'), cc: of('cc') };
  }

  /**
   * The limit of 24 hours holds here too, because the mails of retainers that were created at once count when they are
   * queued. That of queued mails does not: the documents of a company do not wait for a mail server.
   */
  override async prepare(
    companyId: number,
    { sending, sentBy }: SentByRetainer,
  ): Promise<QueueRetainerMails> {
    const { subject, message } = sending;
    const recipients = recipientsFor(sending, 'send.to');
    const content = { subject, message, language: null, stamp: 'original' } as const;
    const asked = { quota: await this.quota.of(companyId), added: recipients.length };
    return async (tx, documentId) => {
      await this.quota.assertRoomOfDay(tx, companyId, asked);
      await this.queueMails.execute(tx, companyId, { ...content, documentId, recipients, sentBy });
    };
  }
}
