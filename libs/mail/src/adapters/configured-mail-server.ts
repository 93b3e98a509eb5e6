import type { Config } from '@counterfoil/config';
import type { Log } from '@counterfoil/observability';
import { MailServer } from '../application/ports/mail-server';
import type { MailOutcome } from '../domain/mail';
import { Mailbox } from './mailbox/mailbox';
import { MailboxServer } from './mailbox/mailbox-server';
import { SmtpMailServer } from './smtp/smtp-mail-server';

/** Stands for a server in an installation that sends no mail. Mails that were queued before it was so, wait. */
class NoMailServer extends MailServer {
  override readonly isConfigured = false;

  override deliver(): Promise<MailOutcome> {
    return Promise.resolve({ kind: 'later', response: 'this installation has no mail server' });
  }
}

export function configuredMailServer({ mail, dataDir }: Config, log: Log): MailServer {
  if (mail.server === 'mailbox') return new MailboxServer(new Mailbox(dataDir), log);
  return mail.server === 'off' ? new NoMailServer() : new SmtpMailServer(mail.server, log);
}
