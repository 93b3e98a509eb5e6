import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { actorOf, type IssuedKey, ReadIssuedDocument } from '@counterfoil/documents';
import { Idempotency, type IdempotentCall } from '@counterfoil/idempotency';
import { AppError, type Caller, Clock, validationFailed } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { QUEUED_MAX, RECIPIENTS_MAX, recipientsOf } from '../domain/mail';
import { MailJobs } from './mail-jobs';
import { MailServer } from './ports/mail-server';
import { type MailContent, Mails, type QueuedMail } from './ports/mails';

const NO_SERVER =
  'this installation sends no mail: the operator names a mail server with the settings SMTP_URL and MAIL_FROM';

const TOO_MANY_QUEUED = `a company may have at most ${QUEUED_MAX} queued mails: wait until they are sent`;

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
   *   configured, `VALIDATION_FAILED` for too many recipients, `LIMIT_REACHED` for too many queued mails
   */
  async execute(
    caller: Caller,
    key: IssuedKey,
    { to, cc, ...content }: SendDocumentInput,
    call: IdempotentCall<SentDocument> | null = null,
  ): Promise<SentDocument> {
    const { companyId } = caller;
    const recipients = recipientsOf(to.map(withAsciiDomain), cc.map(withAsciiDomain));
    if (recipients.length > RECIPIENTS_MAX) throw tooManyRecipients();
    const document = await this.documents.execute(companyId, key);
    if (!document) throw new AppError('NOT_FOUND', 'no such issued document');
    if (!this.server.isConfigured) throw new AppError('INVALID_STATE', NO_SERVER);
    if ((await this.mails.countQueued(companyId, QUEUED_MAX)) + recipients.length > QUEUED_MAX)
      throw new AppError('LIMIT_REACHED', TOO_MANY_QUEUED);
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

/** Mail servers know a domain with other letters by its ASCII form only. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
}

function tooManyRecipients(): AppError {
  return validationFailed([
    { field: 'to', problem: `must have at most ${RECIPIENTS_MAX} different addresses together with cc` },
  ]);
}
