import { DocumentReader, type IssuedKey } from '@counterfoil/documents';
import { AppError, type Caller, Clock, type PlainDate, plainDateOf, Transactions } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { mailableAddress } from './addresses';
import { type NextReminder, type ReminderRow, Reminders } from './ports/reminders';

export interface RemindersOfDocument {
  /** False: its client is never reminded of it. */
  readonly enabled: boolean;
  /** The day of the next one, as things are. Null: none is to come. */
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
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `NOT_FOUND` for a document that the company has not issued */
  async list(companyId: number, key: IssuedKey): Promise<RemindersOfDocument> {
    const documentId = await this.idOf(companyId, key);
    const today = plainDateOf(this.clock.now());
    const [isExempt, next, reminders] = await Promise.all([
      this.reminders.isExempt(companyId, documentId),
      this.reminders.next(companyId, documentId, today),
      this.reminders.list(companyId, documentId),
    ]);
    return { enabled: !isExempt, nextDate: mailedOn(next), reminders };
  }

  /** @throws AppError `NOT_FOUND` for a document that the company has not issued */
  async enable({ companyId }: Caller, key: IssuedKey, enabled: boolean): Promise<void> {
    const documentId = await this.idOf(companyId, key);
    const document = { documentId, isExempt: !enabled };
    await this.transactions.run((tx) => this.reminders.setExempt(tx, companyId, document, this.clock.now()));
  }

  private async idOf(companyId: number, key: IssuedKey): Promise<number> {
    const document = await this.documents.identify(companyId, key);
    if (document === null) throw new AppError('NOT_FOUND', 'no such issued document');
    return document.id;
  }
}

/** The day of a reminder that will not be skipped for want of an address that mail servers take. */
function mailedOn(next: NextReminder | null): PlainDate | null {
  return next === null || mailableAddress(next.email) === null ? null : next.date;
}
