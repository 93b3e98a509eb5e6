import { Config } from '@counterfoil/config';
import { RETAINER_ACTOR } from '@counterfoil/documents';
import { Clock, plainDateOf, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { type MailOutcome, nextQuotaCheck } from '../domain/mail';
import { nextReminderTime } from '../domain/reminder';
import { MailQuota } from './mail-quota';
import { type ClaimedMail, Mails } from './ports/mails';
import { Reminders } from './ports/reminders';

/** `wait`: its lease has ended. A date: it waits until then. An outcome: it is not sent. */
export type MailDecision = 'send' | 'wait' | Date | MailOutcome;

const NOT_DUE: MailOutcome = {
  kind: 'withdrawn',
  response: 'nothing is left to pay, reminders were turned off, or a later day of reminders has come',
};

const WAITS = 'waits, because the company has sent as many mails as it may send in 24 hours';

const OVER_QUOTA: MailOutcome = {
  kind: 'withdrawn',
  response: 'for a week, the company had sent as many mails as it may send in 24 hours',
};

/**
 * Decides about a mail that is about to be sent. A reminder may have waited, and its client may have paid meanwhile. A
 * mail of a retainer was queued beyond the limit of 24 hours, because its document does not wait.
 */
@Injectable()
export class CheckMail {
  constructor(
    private readonly reminders: Reminders,
    private readonly mails: Mails,
    private readonly quota: MailQuota,
    private readonly transactions: Transactions,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async execute(mail: ClaimedMail): Promise<MailDecision> {
    if (mail.purpose === 'reminder') return this.ofReminder(mail);
    return mail.sentBy === RETAINER_ACTOR ? this.ofRetainer(mail) : 'send';
  }

  private async ofReminder({ companyId, id }: ClaimedMail): Promise<MailDecision> {
    const now = this.clock.now();
    const isDue = await this.reminders.isStillDue(companyId, id, plainDateOf(now));
    return isDue ? (nextReminderTime(now, this.config.mail.reminderHours) ?? 'send') : NOT_DUE;
  }

  private async ofRetainer(mail: ClaimedMail): Promise<MailDecision> {
    const quota = await this.quota.of(mail.companyId);
    if (quota === null) return 'send';
    const now = this.clock.now();
    const until = nextQuotaCheck(mail.waitsSince ?? now, now);
    return this.transactions.run(async (tx) => {
      if (await this.quota.takeRoomToSend(tx, mail, quota)) return 'send';
      if (until === null) return OVER_QUOTA;
      await this.mails.waitForRoom(tx, mail, { since: now, until, response: WAITS });
      return 'wait';
    });
  }
}
