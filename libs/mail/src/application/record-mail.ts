import { setTimeout as sleep } from 'node:timers/promises';
import { Config, FaultPoints } from '@counterfoil/config';
import type { IssuedContent } from '@counterfoil/documents';
import { Clock, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { afterAttempt, type MailOutcome, RECORDING_MAX_MS } from '../domain/mail';
import { ended } from './events';
import { type ClaimedMail, type MailEnd, Mails } from './ports/mails';

const PAUSE_MS = 500;

/** Records the outcome of an attempt, and the event of a mail that has ended. */
@Injectable()
export class RecordMail {
  constructor(
    private readonly mails: Mails,
    private readonly transactions: Transactions,
    private readonly outbox: Outbox,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
    private readonly log: Log,
  ) {}

  /** Tries for as long as no other worker may claim the mail, because its end is otherwise uncertain. */
  async execute(mail: ClaimedMail, document: IssuedContent, outcome: MailOutcome): Promise<void> {
    const end = performance.now() + RECORDING_MAX_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.record(mail, document, outcome);
        this.faults.reach('mail.recorded');
        return;
      } catch (error) {
        const isLast = performance.now() > end;
        const fields = { error, mailId: mail.id, outcome: outcome.kind };
        if (attempt === 1 || isLast) this.log.error(fields, 'the outcome of a mail was not recorded');
        if (isLast) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  private async record(mail: ClaimedMail, document: IssuedContent, outcome: MailOutcome): Promise<void> {
    const { id: mailId, companyId, attempts } = mail;
    const { response } = outcome;
    const at = this.clock.now();
    const next = afterAttempt(outcome, attempts, at, this.config.mail.retryDelaysMs);
    if (next.status === 'queued') {
      await this.mails.retry(mail, { dueAt: next.nextAttemptAt, response });
      return;
    }
    const end: MailEnd = {
      status: next.status,
      failure: 'failure' in next ? next.failure : null,
      response,
      at,
    };
    const isRecorded = await this.transactions.run(async (tx) => {
      if (!(await this.mails.finish(tx, mail, end))) return false;
      await this.outbox.append(tx, companyId, [ended(document, mail, end)]);
      return true;
    });
    if (!isRecorded)
      this.log.warn({ mailId, companyId, outcome: outcome.kind }, 'another worker has recorded this mail');
  }
}
