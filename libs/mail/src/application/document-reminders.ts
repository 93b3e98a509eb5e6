import { Config } from '@counterfoil/config';
import { DocumentReader, type IssuedKey } from '@counterfoil/documents';
import { AppError, type Caller, Clock, type PlainDate, plainDateOf, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { latestOf, nextReminderTime, remindersDueSince } from '../domain/reminder';
import { mailableAddress } from './addresses';
import { MailServer } from './ports/mail-server';
import { type ReminderRow, Reminders } from './ports/reminders';

export interface RemindersOfDocument {
  /** False: its client is never reminded of it. */
  readonly enabled: boolean;
  /** The day on which the next one is mailed, as things are. Null: none is to come. */
  readonly nextDate: PlainDate | null;
  /** The newest first. */
  readonly reminders: readonly ReminderRow[];
}

/** Shows the reminders of a document, and turns them off for it (contract §8.19). */
@Injectable()
export class DocumentReminders {
  constructor(
    private readonly documents: DocumentReader,
    private readonly reminders: Reminders,
    private readonly server: MailServer,
    private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `NOT_FOUND` for a document that the company has not issued */
  async list(companyId: number, key: IssuedKey): Promise<RemindersOfDocument> {
    const documentId = await this.idOf(companyId, key);
    const [isExempt, nextDate, reminders] = await Promise.all([
      this.reminders.isExempt(companyId, documentId),
      this.nextDate(companyId, documentId),
      this.reminders.list(companyId, documentId),
    ]);
    return { enabled: !isExempt, nextDate, reminders };
  }

  /** @throws AppError `NOT_FOUND` for a document that the company has not issued */
  async enable({ companyId }: Caller, key: IssuedKey, enabled: boolean): Promise<void> {
    const documentId = await this.idOf(companyId, key);
    const document = { documentId, isExempt: !enabled };
    await this.transactions.run((tx) => this.reminders.setExempt(tx, companyId, document, this.clock.now()));
  }

  /** One whose day has passed is mailed as soon as reminders may be sent. */
  private async nextDate(companyId: number, documentId: number): Promise<PlainDate | null> {
    const plan = this.server.isConfigured ? await this.reminders.readPlan(companyId) : null;
    if (!plan) return null;
    const now = this.clock.now();
    const sendable = plainDateOf(nextReminderTime(now, this.config.mail.reminderHours) ?? now);
    const next = await this.reminders.next(companyId, documentId, remindersDueSince(plan, sendable));
    // Without an address that mail servers take, it will be skipped.
    if (!next || mailableAddress(next.email) === null) return null;
    return latestOf([next.date, sendable]);
  }

  private async idOf(companyId: number, key: IssuedKey): Promise<number> {
    const document = await this.documents.identify(companyId, key);
    if (document === null) throw new AppError('NOT_FOUND', 'no such issued document');
    return document.id;
  }
}
