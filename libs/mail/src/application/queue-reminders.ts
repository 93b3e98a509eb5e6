import { randomUUID } from 'node:crypto';
import { FaultPoints } from '@counterfoil/config';
import { Clock, type PlainDate, plainDateOf, type Transaction, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { Injectable } from '@nestjs/common';
import { batchAfter, missedDays, type ReminderPlan, remindersDueSince } from '../domain/reminder';
import { mailableAddress } from './addresses';
import { MailJobs } from './mail-jobs';
import { MailQuota } from './mail-quota';
import { type DueReminder, type NewReminder, Reminders } from './ports/reminders';
import { ReminderJobs } from './reminder-jobs';

/** Of one transaction. */
const BATCH = 200;
/** After this time other companies get their turn. */
const TURN_MS = 1_000;

/**
 * Queues the mails that remind clients of a company of what they owe (contract §8.19). Any number of processes may do so
 * at once, and may be killed at any time: a reminder is recorded in the transaction that queues its mail.
 */
@Injectable()
export class QueueReminders {
  private stopping = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly reminders: Reminders,
    private readonly quota: MailQuota,
    private readonly mailJobs: MailJobs,
    private readonly jobs: ReminderJobs,
    private readonly clock: Clock,
    private readonly faults: FaultPoints,
    private readonly log: Log,
  ) {}

  /** @param turn the number of the company's turn, from 0 */
  async execute(companyId: number, turn: number): Promise<void> {
    if (!this.jobs.isOn) return;
    const endsAt = performance.now() + TURN_MS;
    const quota = await this.quota.of(companyId);
    await this.reminders.takeTurn(companyId, this.clock.now());
    let isMoreLeft = true;
    while (isMoreLeft && !this.stopping && performance.now() < endsAt) {
      isMoreLeft = await this.transactions.run((tx) => this.batch(tx, companyId, quota));
      this.faults.reach('reminders.committed');
    }
    if (isMoreLeft && !this.stopping) await this.jobs.signal([companyId], turn + 1);
  }

  /** Lets the current batch end, and starts no other. */
  stop(): void {
    this.stopping = true;
  }

  /** @returns whether another batch has something to do now */
  private async batch(tx: Transaction, companyId: number, quota: number | null): Promise<boolean> {
    const now = this.clock.now();
    const today = plainDateOf(now);
    const plan = await this.reminders.lockPlan(tx, companyId);
    if (plan === null) return false;
    const since = remindersDueSince(plan, today);
    if (since > today) return false;
    const period = { days: plan.days, since, today, after: batchAfter(plan, today) };
    const due = await this.reminders.findDue(tx, companyId, period, BATCH);
    // Afterwards, because calls of the company wait for this lock.
    const room = due.length === 0 ? 0 : await this.quota.roomForReminders(tx, companyId, quota);
    const taken = due.slice(0, Math.max(0, room));
    await this.record(tx, companyId, taken, { today, now });
    const last = taken.at(-1);
    if (due.length < BATCH && taken.length === due.length) {
      await this.complete(tx, companyId, { plan, since, now });
      return false;
    }
    // Without room, a later sweep goes on when fewer mails count for the limits.
    if (last) await this.reminders.noteBatch(tx, companyId, { documentId: last.documentId, now });
    return last !== undefined;
  }

  private async complete(
    tx: Transaction,
    companyId: number,
    { plan, since, now }: { readonly plan: ReminderPlan; readonly since: PlainDate; readonly now: Date },
  ): Promise<void> {
    await this.reminders.complete(tx, companyId, { today: plainDateOf(now), now });
    const days = missedDays(plan, since);
    if (days) this.log.warn({ companyId, ...days }, 'reminders of these days were not queued in time');
  }

  private async record(
    tx: Transaction,
    companyId: number,
    due: readonly DueReminder[],
    at: { readonly today: PlainDate; readonly now: Date },
  ): Promise<void> {
    if (due.length === 0) return;
    const mailIds = await this.reminders.insert(tx, companyId, due.map(reminderOf), at);
    this.faults.reach('reminders.queued');
    this.mailJobs.signalAfter(tx, mailIds);
    const skipped = due.length - mailIds.length;
    if (skipped > 0) this.log.warn({ companyId, skipped }, 'clients without an address were not reminded');
  }
}

function reminderOf({ documentId, days, email }: DueReminder): NewReminder {
  return {
    documentId,
    days,
    sendId: randomUUID(),
    recipient: mailableAddress(email),
  };
}
