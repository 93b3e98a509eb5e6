import type { Backlog, DocumentLanguage, Transaction } from '@counterfoil/kernel';
import type { AskedStamp, RenditionStamp } from '@counterfoil/renditions';
import type { MailFailure, MailPurpose, MailStatus, Recipient } from '../../domain/mail';

/** The texts of a mail; null where the caller left them to the service. */
export interface MailContent {
  readonly subject: string | null;
  readonly message: string | null;
  readonly language: DocumentLanguage | null;
  readonly stamp: RenditionStamp;
}

/** The texts of a mail that is asked for. */
export interface AskedContent extends Omit<MailContent, 'stamp'>, AskedStamp {}

/** The mails of one call: one for each recipient. */
export interface NewMails extends MailContent {
  readonly sendId: string;
  readonly documentId: number;
  readonly recipients: readonly Recipient[];
  readonly sentBy: string;
  readonly createdAt: Date;
}

export interface QueuedMail {
  readonly id: number;
  readonly recipient: string;
}

/** A mail that this process may send now. */
export interface ClaimedMail extends MailContent {
  readonly id: number;
  readonly companyId: number;
  readonly documentId: number;
  readonly sendId: string;
  readonly purpose: MailPurpose;
  /** Such as `api-key:7` or `system:reminders`. */
  readonly sentBy: string;
  readonly recipient: string;
  /** All addresses of the call, for the headers. */
  readonly toAddresses: readonly string[];
  readonly ccAddresses: readonly string[];
  /** The number of failed attempts. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** Since when it has waited for the limit of 24 hours; null if it does not. */
  readonly waitsSince: Date | null;
  /** True if the server may have the whole message, and no worker has recorded its answer in time. */
  readonly wasHandedOver: boolean;
  readonly leaseToken: string;
}

/** The end of a mail. */
export interface MailEnd {
  readonly status: Exclude<MailStatus, 'queued'>;
  readonly failure: MailFailure | null;
  readonly response: string;
  readonly at: Date;
}

/** A number of mails, and how many of these are reminders. */
export interface MailCount {
  readonly mails: number;
  readonly reminders: number;
}

export interface CountedMails {
  /** Counts no further. */
  readonly atMost: number;
  /** A mail of a retainer. Counts also the older ones that a worker has claimed and not decided on yet. */
  readonly leavesRoomBefore: number | null;
}

/** How mails of retainers wait for the limit of 24 hours. */
export interface WaitingMail {
  readonly since: Date;
  readonly until: Date;
  /** Says why, in the list of mails. */
  readonly response: string;
}

/** Stores mails, and shares them between workers. */
export abstract class Mails {
  /** Locks the limits of a company until the end of the transaction, so that calls at once do not exceed one together. */
  abstract lockCompany(tx: Transaction, companyId: number): Promise<void>;

  /** Counts up to `atMost` of the queued mails of a company, without those of retainers. */
  abstract countQueued(tx: Transaction, companyId: number, atMost: number): Promise<MailCount>;

  /**
   * Counts the mails of a company that are within the limit of 24 hours, by the clock of the database: those of calls
   * and reminders that were queued in that time, and those of retainers that were sent in it or got room. Mails that
   * were withdrawn do not count.
   */
  abstract countOfDay(tx: Transaction, companyId: number, counted: CountedMails): Promise<MailCount>;

  /** Records that a mail of a retainer may be sent under its lease, so that it counts. */
  abstract grantRoom(tx: Transaction, mail: ClaimedMail): Promise<void>;

  /** Tells whether an older mail of a retainer of the company waits. */
  abstract isBehindWaiting(tx: Transaction, mail: ClaimedMail): Promise<boolean>;

  /** Ends the lease of a mail of a retainer. All others of the company that are not being sent wait as long. */
  abstract waitForRoom(tx: Transaction, mail: ClaimedMail, waiting: WaitingMail): Promise<void>;

  /** Returns the mails in the order of the recipients. */
  abstract insert(tx: Transaction, companyId: number, mails: NewMails): Promise<readonly QueuedMail[]>;

  /** Claims the next due mail, of the company with the fewest claims. Those of suspended companies wait. */
  abstract claimNext(now: Date, leaseMs: number): Promise<ClaimedMail | null>;

  /** Returns the tokens that still hold their lease. */
  abstract renew(tokens: readonly string[], leaseMs: number): Promise<readonly string[]>;

  /**
   * Records that the server is about to get the last byte. From then on, the mail is never sent again unless the
   * server refuses it, and no other worker claims it for `RECORDING_MAX_MS`. False if another worker has the mail.
   */
  abstract beginHandOver(mail: ClaimedMail): Promise<boolean>;

  /** Counts a failed attempt. */
  abstract retry(mail: ClaimedMail, next: { readonly dueAt: Date; readonly response: string }): Promise<void>;

  /** Ends the lease of a mail that the server has not got. */
  abstract release(mail: ClaimedMail, dueAt: Date): Promise<void>;

  /** False if another worker has the mail, or it has ended. */
  abstract finish(tx: Transaction, mail: ClaimedMail, end: MailEnd): Promise<boolean>;

  /** The ids of due mails, in turns by company. */
  abstract due(now: Date, limit: number): Promise<readonly number[]>;

  abstract backlog(now: Date): Promise<Backlog>;
}
