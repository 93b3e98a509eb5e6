import { Config } from '@counterfoil/config';
import { Clock, plainDateOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { nextReminderTime } from '../domain/reminder';
import type { ClaimedMail } from './ports/mails';
import { Reminders } from './ports/reminders';

/** Decides about a mail that is about to be sent: a reminder may have waited, and its client may have paid meanwhile. */
@Injectable()
export class CheckReminder {
  constructor(
    private readonly reminders: Reminders,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @returns a date if the mail has to wait until then, because it is night */
  async execute({ purpose, companyId, id }: ClaimedMail): Promise<'send' | 'withdraw' | Date> {
    if (purpose !== 'reminder') return 'send';
    const now = this.clock.now();
    const isDue = await this.reminders.isStillDue(companyId, id, plainDateOf(now));
    return isDue ? (nextReminderTime(now, this.config.mail.reminderHours) ?? 'send') : 'withdraw';
  }
}
