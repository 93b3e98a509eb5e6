import { ReadIssuedDocument } from '@counterfoil/documents';
import { Clock, type HeldLease, HeldLeases, LEASE_MS, runUntilAborted } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import type { MailOutcome } from '../domain/mail';
import { AttemptMail } from './attempt-mail';
import { CheckMail } from './check-mail';
import { MailServer } from './ports/mail-server';
import { type ClaimedMail, Mails } from './ports/mails';
import { RecordMail } from './record-mail';

/** The server may take minutes to accept a message; before it, the database and the file take seconds. */
const SENDING_MAX_MS = 720_000;
/** How long a worker that stops waits for answers to messages that it has handed over. */
const STOP_PATIENCE_MS = 5_000;

const INTERRUPTED: MailOutcome = {
  kind: 'uncertain',
  response: 'the answer of the mail server was not recorded; the server may have accepted the message',
};

/**
 * Sends the next due mail: claim, hand over, record. A worker that ends between the last byte and the record of the
 * answer leaves a mail that is not sent again (contract §8.18).
 */
@Injectable()
export class DeliverMail {
  private readonly stopping = new AbortController();
  private readonly outOfPatience = new AbortController();
  private readonly leases: HeldLeases;

  constructor(
    private readonly mails: Mails,
    private readonly checkMail: CheckMail,
    private readonly documents: ReadIssuedDocument,
    private readonly attemptMail: AttemptMail,
    private readonly recordMail: RecordMail,
    private readonly server: MailServer,
    private readonly clock: Clock,
    log: Log,
  ) {
    this.leases = new HeldLeases({
      renew: (tokens, leaseMs) => this.mails.renew(tokens, leaseMs),
      onError: (error) => log.warn({ error }, 'the claims on mails could not be renewed'),
      longestMs: SENDING_MAX_MS,
    });
  }

  /** Does nothing if no unclaimed mail is due. */
  async execute(): Promise<void> {
    if (this.stopping.signal.aborted || !this.server.isConfigured) return;
    const claimedAt = performance.now();
    const mail = await this.mails.claimNext(this.clock.now(), LEASE_MS);
    if (!mail) return;
    const served = this.leases.during(mail.leaseToken, claimedAt, (lease) => this.serve(mail, lease));
    await this.patiently(served);
  }

  /** Ends the attempts whose messages are not handed over, for other workers, and soon leaves the others alone. */
  stop(): void {
    this.stopping.abort();
    setTimeout(() => this.outOfPatience.abort(), STOP_PATIENCE_MS).unref();
  }

  /** Waits for work, but not for long once the worker stops. */
  private patiently(work: Promise<void>): Promise<void> {
    const { signal } = this.outOfPatience;
    return new Promise((resolve, reject) => {
      const leave = () => resolve();
      signal.addEventListener('abort', leave, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  private async serve(mail: ClaimedMail, { lost }: HeldLease): Promise<void> {
    const document = await this.documents.execute(mail.companyId, { id: mail.documentId });
    if (!document) throw new Error('a mail has a document, which is never removed');
    if (mail.wasHandedOver) return this.recordMail.execute(mail, document, INTERRUPTED);
    const decision = await this.checkMail.execute(mail);
    if (decision === 'wait') return;
    if (decision instanceof Date) return this.mails.release(mail, decision);
    if (decision !== 'send') return this.recordMail.execute(mail, document, decision);
    const attempt = (signal: AbortSignal) => this.attemptMail.execute(mail, document, signal);
    const outcome = await runUntilAborted(attempt, { signals: [lost, this.stopping.signal] });
    await (outcome === null
      ? this.mails.release(mail, this.clock.now())
      : this.recordMail.execute(mail, document, outcome));
  }
}
