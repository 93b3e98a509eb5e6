import type { Log } from '@counterfoil/observability';
import { type HandOver, type MailMessage, MailServer } from '../../application/ports/mail-server';
import type { MailOutcome } from '../../domain/mail';
import { buildMessage } from '../smtp/build-message';
import type { Mailbox } from './mailbox';

const FROM = 'counterfoil@localhost';

/** Stores mails in a directory instead of sending them. */
export class MailboxServer extends MailServer {
  override readonly isConfigured = true;

  constructor(
    private readonly mailbox: Mailbox,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    super();
  }

  override async deliver(message: MailMessage, { begin }: HandOver): Promise<MailOutcome> {
    try {
      const content = await buildMessage(message, FROM);
      if (!(await begin())) return { kind: 'later', response: 'another worker sends this mail' };
      await this.mailbox.store(summaryOf(message), content);
      return { kind: 'accepted', response: 'stored in the mailbox of this machine' };
    } catch (error) {
      this.log.warn({ error, mailId: message.id }, 'a mail was not stored');
      return { kind: 'later', response: 'the mailbox of this machine cannot be written' };
    }
  }
}

function summaryOf({ id, fromName, recipient, subject, text, attachments }: MailMessage) {
  return {
    ...{ id, from: `${fromName} <${FROM}>`, recipient, subject, text, storedAt: new Date().toISOString() },
    attachments: attachments.map(({ fileName, content }) => ({ fileName, size: content.length })),
  };
}
