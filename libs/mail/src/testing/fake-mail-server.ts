import { type HandOver, type MailMessage, MailServer } from '../application/ports/mail-server';
import type { MailOutcome } from '../domain/mail';

/** Accepts every mail, unless a test wants something else. */
export class FakeMailServer extends MailServer {
  override isConfigured = true;
  readonly taken: MailMessage[] = [];
  behave: (message: MailMessage, handOver: HandOver) => Promise<MailOutcome> = () =>
    Promise.resolve({ kind: 'accepted', response: '250 ok' });

  override async deliver(message: MailMessage, handOver: HandOver): Promise<MailOutcome> {
    if (!(await handOver.begin())) return { kind: 'later', response: 'another worker sends this mail' };
    this.taken.push(message);
    return this.behave(message, handOver);
  }
}
