import { randomUUID } from 'node:crypto';
import type { IssuedReference } from '@counterfoil/documents';
import { AppError, Clock, type Transaction, validationFailed } from '@counterfoil/kernel';
import { type RenditionStamp, StampHandOver } from '@counterfoil/renditions';
import { Injectable } from '@nestjs/common';
import { type Recipient, RECIPIENTS_MAX, recipientsOf } from '../domain/mail';
import { withAsciiDomain } from './addresses';
import { MailJobs } from './mail-jobs';
import { MailServer } from './ports/mail-server';
import { type AskedContent, Mails, type NewMails, type QueuedMail } from './ports/mails';

const NO_SERVER =
  'this installation sends no mail: the operator names a mail server with the settings SMTP_URL and MAIL_FROM';

/** The addresses of a call. */
export interface Addresses {
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** The mails that a call or a retainer asks for. */
export interface AskedMails extends AskedContent, Pick<NewMails, 'recipients' | 'sentBy'> {
  readonly document: IssuedReference;
}

export interface SentDocument {
  readonly sendId: string;
  readonly stamp: RenditionStamp;
  readonly mails: readonly QueuedMail[];
}

/** Queues mails in a transaction of the caller. Calls and retainers share this part. */
@Injectable()
export class QueueMails {
  constructor(
    private readonly mails: Mails,
    private readonly server: MailServer,
    private readonly stampHandOver: StampHandOver,
    private readonly jobs: MailJobs,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `INVALID_STATE` if no mail server is configured */
  assertServer(): void {
    if (!this.server.isConfigured) throw new AppError('INVALID_STATE', NO_SERVER);
  }

  async execute(
    tx: Transaction,
    companyId: number,
    { document, stamp: asked, ...mails }: AskedMails,
  ): Promise<SentDocument> {
    const sendId = randomUUID();
    const stamp = await this.stampHandOver.execute(tx, companyId, document, asked);
    const queued = await this.mails.insert(tx, companyId, {
      ...{ ...mails, stamp, documentId: document.id },
      ...{ sendId, createdAt: this.clock.now() },
    });
    const ids = queued.map(({ id }) => id);
    this.jobs.signalAfter(tx, ids);
    return { sendId, stamp, mails: queued };
  }
}

/**
 * Returns each address once, with the ASCII form of its domain.
 *
 * @param field the one that has the addresses, for the error
 * @throws AppError `VALIDATION_FAILED` for too many
 */
export function recipientsFor({ to, cc }: Addresses, field: string): Recipient[] {
  const recipients = recipientsOf(to.map(withAsciiDomain), cc.map(withAsciiDomain));
  if (recipients.length > RECIPIENTS_MAX) throw tooManyRecipients(field);
  return recipients;
}

function tooManyRecipients(field: string): AppError {
  return validationFailed([
    { field, problem: `must have at most ${RECIPIENTS_MAX} different addresses together with cc` },
  ]);
}
