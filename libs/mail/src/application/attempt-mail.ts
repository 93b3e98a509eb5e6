import { FaultPoints } from '@counterfoil/config';
import type { IssuedContent } from '@counterfoil/documents';
import { Log } from '@counterfoil/observability';
import { RenderDocument } from '@counterfoil/renditions';
import { Injectable } from '@nestjs/common';
import type { MailOutcome } from '../domain/mail';
import { composeMail } from './compose-mail';
import { MailServer } from './ports/mail-server';
import { type ClaimedMail, Mails } from './ports/mails';

const NOT_RENDERED = 'the PDF of the document could not be made';

/** Makes one attempt to send a mail. */
@Injectable()
export class AttemptMail {
  constructor(
    private readonly mails: Mails,
    private readonly renderDocument: RenderDocument,
    private readonly server: MailServer,
    private readonly faults: FaultPoints,
    private readonly log: Log,
  ) {}

  /**
   * @param signal ends the attempt unless the message is handed over
   * @returns null if the attempt was ended by the signal
   */
  async execute(
    mail: ClaimedMail,
    document: IssuedContent,
    signal: AbortSignal,
  ): Promise<MailOutcome | null> {
    this.faults.reach('mail.claimed');
    const pdf = await this.pdf(mail, document);
    if (signal.aborted) return null;
    if (pdf === null) return { kind: 'later', response: NOT_RENDERED };
    const message = composeMail(mail, document, pdf);
    this.faults.reach('mail.composed');
    let isHandedOver = false;
    const begin = async () => (isHandedOver = await this.beginHandOver(mail));
    const outcome = await this.server.deliver(message, { begin, signal });
    this.faults.reach('mail.answered');
    return outcome.kind === 'later' && signal.aborted && !isHandedOver ? null : outcome;
  }

  private async pdf(mail: ClaimedMail, document: IssuedContent): Promise<Buffer | null> {
    try {
      return await this.renderDocument.pdf(mail.companyId, document, mail);
    } catch (error) {
      this.log.warn({ error, mailId: mail.id }, 'the PDF of a mail could not be made');
      return null;
    }
  }

  private async beginHandOver(mail: ClaimedMail): Promise<boolean> {
    const isOurs = await this.mails.beginHandOver(mail);
    if (isOurs) this.faults.reach('mail.handing-over');
    return isOurs;
  }
}
