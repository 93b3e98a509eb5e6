import type { PlainDate, Transaction } from '@counterfoil/kernel';
import type { MailFailure, MailStatus } from '../../domain/mail';
import type { ReminderPlan, ReminderSkip } from '../../domain/reminder';

/** A document of which its client is to be reminded. */
export interface DueReminder {
  readonly documentId: number;
  /** The latest of the days that have come. */
  readonly days: number;
  /** Of the client, as it is now. */
  readonly email: string | null;
}

/** The next reminder of a document. */
export interface NextReminder {
  readonly date: PlainDate;
  /** Of the client, as it is now. */
  readonly email: string | null;
}

/** A reminder to record, with its mail or without. */
export interface NewReminder {
  readonly documentId: number;
  readonly days: number;
  readonly sendId: string;
  /** Null: there is no mail. */
  readonly recipient: string | null;
}

/** The days whose reminders are due, both included. */
export interface ReminderPeriod {
  readonly days: readonly number[];
  readonly since: PlainDate;
  readonly today: PlainDate;
  /** Documents up to this id are done, or are left for another day. */
  readonly after: number;
}

/** A reminder as callers see it. */
export interface ReminderRow {
  /** The day on which it was queued. */
  readonly date: PlainDate;
  readonly days: number;
  readonly mailId: number | null;
  readonly recipient: string | null;
  readonly status: MailStatus | null;
  readonly failure: MailFailure | null;
  readonly skipped: ReminderSkip | null;
  readonly createdAt: Date;
}

/** Stores reminders, and shares the work of a company between workers. */
export abstract class Reminders {
  /**
   * Companies whose reminders of `today` are not all queued, or whose plan was changed after that. Those whose turn was
   * the longest ago come first.
   */
  abstract dueCompanies(today: PlainDate, limit: number): Promise<readonly number[]>;

  /** Notes that a company has its turn, unless another worker serves it. */
  abstract takeTurn(companyId: number, now: Date): Promise<void>;

  /**
   * Locks the company's plan until the end of the transaction. Null if there is none, if another worker has it, or if
   * the company is suspended.
   */
  abstract lockPlan(tx: Transaction, companyId: number): Promise<ReminderPlan | null>;

  /** Null if there is none, or if the company is suspended. */
  abstract readPlan(companyId: number): Promise<ReminderPlan | null>;

  /** Documents of which nobody was reminded yet, in the order of their ids. */
  abstract findDue(
    tx: Transaction,
    companyId: number,
    due: ReminderPeriod,
    limit: number,
  ): Promise<readonly DueReminder[]>;

  /** Stores the reminders, and queues a mail for each that has a recipient. Returns the ids of these mails. */
  abstract insert(
    tx: Transaction,
    companyId: number,
    reminders: readonly NewReminder[],
    at: { readonly today: PlainDate; readonly now: Date },
  ): Promise<readonly number[]>;

  /** Records the last document of a batch. */
  abstract noteBatch(
    tx: Transaction,
    companyId: number,
    last: { readonly documentId: number; readonly now: Date },
  ): Promise<void>;

  /** Records that all reminders up to `today` are queued. */
  abstract complete(
    tx: Transaction,
    companyId: number,
    at: { readonly today: PlainDate; readonly now: Date },
  ): Promise<void>;

  /**
   * Whether the reminder of a mail is still to be sent: the document is to be paid, reminders of it are not turned off,
   * and no later day of the plan has come.
   */
  abstract isStillDue(companyId: number, mailId: number, today: PlainDate): Promise<boolean>;

  /** The latest ones of a document, the newest first. */
  abstract list(companyId: number, documentId: number): Promise<readonly ReminderRow[]>;

  /**
   * The next one of a document, of the days from `since` on. Null: none is to come, as things are. Mail servers may refuse
   * the address of the client.
   */
  abstract next(companyId: number, documentId: number, since: PlainDate): Promise<NextReminder | null>;

  abstract isExempt(companyId: number, documentId: number): Promise<boolean>;

  /** Whether the client is never reminded of the document. */
  abstract setExempt(
    tx: Transaction,
    companyId: number,
    document: { readonly documentId: number; readonly isExempt: boolean },
    at: Date,
  ): Promise<void>;
}
