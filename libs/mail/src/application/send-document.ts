import { actorOf, DocumentReader, type IssuedKey } from '@counterfoil/documents';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { MailQuota } from './mail-quota';
import type { AskedContent } from './ports/mails';
import { type Addresses, QueueMails, recipientsFor, type SentDocument } from './queue-mails';

export interface SendDocumentInput extends AskedContent, Addresses {}

/** Queues a mail with the PDF of an issued document for each recipient (contract §8.18). */
@Injectable()
export class SendDocument {
  constructor(
    private readonly documents: DocumentReader,
    private readonly idempotency: Idempotency,
    private readonly queueMails: QueueMails,
    private readonly quota: MailQuota,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `NOT_FOUND` for a document that the company has not issued, `INVALID_STATE` if no mail server is
   *   configured, `VALIDATION_FAILED` for too many recipients, `LIMIT_REACHED` for too many mails, queued or in the
   *   last 24 hours
   */
  async execute(
    caller: Caller,
    key: IssuedKey,
    { to, cc, ...content }: SendDocumentInput,
    call: IdempotentCall<SentDocument> | null = null,
  ): Promise<SentDocument> {
    const { companyId } = caller;
    const recipients = recipientsFor({ to, cc }, 'to');
    const document = await this.documents.identify(companyId, key);
    if (document === null) throw new AppError('NOT_FOUND', 'no such issued document');
    this.queueMails.assertServer();
    const mails = { ...content, recipients, document, sentBy: actorOf(caller) };
    const quota = await this.quota.of(companyId);
    return this.idempotency.run(companyId, call, async (tx) => {
      await this.quota.assertRoom(tx, companyId, { quota, added: recipients.length });
      return this.queueMails.execute(tx, companyId, mails);
    });
  }
}
