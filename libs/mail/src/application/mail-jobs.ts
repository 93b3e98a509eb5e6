import { type Transaction, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';

/** Signals jobs that send mails. A signal may be lost; the sweep finds due mails in PostgreSQL. */
@Injectable()
export class MailJobs {
  constructor(
    private readonly transactions: Transactions,
    private readonly queue: JobQueue,
  ) {}

  /** Signals after `tx` has committed. */
  signalAfter(tx: Transaction, mailIds: readonly number[]): void {
    this.transactions.afterCommit(tx, () => void this.signal(mailIds));
  }

  signal(mailIds: readonly number[]): Promise<void> {
    const jobs = mailIds.map((mailId) => ({ id: `mail-${mailId}`, payload: { mailId } }));
    return this.queue.signal('mail.send', jobs);
  }
}
