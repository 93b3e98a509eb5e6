import { randomUUID } from 'node:crypto';
import { actorOf, type IssuedKey, ReadIssuedDocument } from '@counterfoil/documents';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, Clock, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { RECIPIENTS_MAX, recipientsOf } from '../domain/mail';
import { MailJobs } from './mail-jobs';
import { MailServer } from './ports/mail-server';
import { type MailContent, Mails, type QueuedMail } from './ports/mails';

const NO_SERVER =
  'this installation sends no mail: the operator names a mail server with the settings SMTP_URL and MAIL_FROM';

export interface SendDocumentInput extends MailContent {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

export interface SentDocument {
  readonly sendId: string;
  readonly mails: readonly QueuedMail[];
}

/** Queues a mail with the PDF of an issued document for each recipient (contract §8.18). */
@Injectable()
export class SendDocument {
  constructor(
    private readonly documents: ReadIssuedDocument,
    private readonly idempotency: Idempotency,
    private readonly mails: Mails,
    private readonly server: MailServer,
    private readonly jobs: MailJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * @param call null if the call has no idempotency key
   * @throws IdempotencyKeyTaken
   * @throws AppError `NOT_FOUND` for a document that the company has not issued, `INVALID_STATE` if no mail server is
   *   configured, `VALIDATION_FAILED` for too many recipients
   */
  async execute(
    caller: Caller,
    key: IssuedKey,
    { to, cc, ...content }: SendDocumentInput,
    call: IdempotentCall<SentDocument> | null = null,
  ): Promise<SentDocument> {
    const { companyId } = caller;
    const recipients = recipientsOf(to, cc);
    if (recipients.length > RECIPIENTS_MAX) throw tooManyRecipients();
    const document = await this.documents.execute(companyId, key);
    if (!document) throw new AppError('NOT_FOUND', 'no such issued document');
    if (!this.server.isConfigured) throw new AppError('INVALID_STATE', NO_SERVER);
    const sendId = randomUUID();
    return this.idempotency.run(companyId, call, async (tx) => {
      const mails = await this.mails.insert(tx, companyId, {
        ...{ ...content, sendId, recipients, documentId: document.id },
        ...{ sentBy: actorOf(caller), createdAt: this.clock.now() },
      });
      this.jobs.signalAfter(
        tx,
        mails.map(({ id }) => id),
      );
      return { sendId, mails };
    });
  }
}

function tooManyRecipients(): AppError {
  return validationFailed([
    { field: 'to', problem: `must have at most ${RECIPIENTS_MAX} different addresses together with cc` },
  ]);
}
