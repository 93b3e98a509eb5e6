import { Config } from '@counterfoil/config';
import { Clock, plainDateOf } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { nextReminderTime } from '../domain/reminder';
import { MailServer } from './ports/mail-server';
import { Reminders } from './ports/reminders';

/** Companies of one sweep. Later sweeps find the others. */
const BATCH = 1_000;

/** Signals companies with due reminders to the worker. A signal may be lost; the next sweep finds them again. */
@Injectable()
export class ReminderJobs {
  constructor(
    private readonly reminders: Reminders,
    private readonly queue: JobQueue,
    private readonly server: MailServer,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Reminders wait while no mail server is configured, and in the night. */
  get isOn(): boolean {
    const { reminderHours } = this.config.mail;
    return this.server.isConfigured && nextReminderTime(this.clock.now(), reminderHours) === null;
  }

  async execute(): Promise<void> {
    if (!this.isOn) return;
    await this.signal(await this.reminders.dueCompanies(plainDateOf(this.clock.now()), BATCH));
  }

  /** @param turn a running job keeps its id until it has ended, so its successor has another one */
  signal(companyIds: readonly number[], turn = 0): Promise<void> {
    const jobs = companyIds.map((companyId) => ({
      id: `reminders-${companyId}-${turn % 2}`,
      payload: { companyId, turn },
    }));
    return this.queue.signal('reminder.queue', jobs);
  }
}
