import { type Backlog, Clock } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { MailJobs } from './mail-jobs';
import { MailServer } from './ports/mail-server';
import { Mails } from './ports/mails';

const BATCH = 500;

/** Finds due mails, independently of their jobs. */
@Injectable()
export class RecoverMails {
  constructor(
    private readonly mails: Mails,
    private readonly jobs: MailJobs,
    private readonly server: MailServer,
    private readonly clock: Clock,
  ) {}

  /** Mails wait while no mail server is configured. */
  async execute(): Promise<void> {
    if (!this.server.isConfigured) return;
    await this.jobs.signal(await this.mails.due(this.clock.now(), BATCH));
  }

  /** Nothing is overdue while no mail server is configured. */
  backlog(): Promise<Backlog> {
    if (!this.server.isConfigured) return Promise.resolve({ waiting: 0, oldestDueAt: null });
    return this.mails.backlog(this.clock.now());
  }
}
