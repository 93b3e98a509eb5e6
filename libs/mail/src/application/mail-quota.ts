import { Config } from '@counterfoil/config';
import { IdentityReader } from '@counterfoil/identity';
import { AppError, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { QUEUED_MAX } from '../domain/mail';
import { type ClaimedMail, type MailCount, Mails } from './ports/mails';

const TOO_MANY_QUEUED = `a company may have at most ${QUEUED_MAX} queued mails: wait until some are sent, and try again`;

/** How many mails may be added to each limit, and how many of these may be reminders. Zero or less: none. */
interface Room {
  /** Beside those that are queued. */
  readonly queued: MailCount;
  /** In the last 24 hours. */
  readonly ofDay: MailCount;
}

const UNLIMITED: MailCount = { mails: Infinity, reminders: Infinity };

interface Asked {
  readonly quota: number | null;
  readonly added: number;
}

/**
 * Limits the queued mails of a company, and its mails in 24 hours: by its own limit, or else by that of the installation.
 * Once a limit is checked, mails of the company are queued one transaction after the other, until this one ends.
 */
@Injectable()
export class MailQuota {
  constructor(
    private readonly config: Config,
    private readonly identities: IdentityReader,
    private readonly mails: Mails,
  ) {}

  /** Null: any number. Reads outside of a transaction, which would take a second connection. */
  async of(companyId: number): Promise<number | null> {
    const { dailyMails = this.config.mail.dailyQuota } = await this.identities.limits(companyId);
    return dailyMails;
  }

  /**
   * Returns how many reminders may be queued. They take at most half of each limit, so that they never leave calls
   * without any, and all that calls have left of it.
   */
  async roomForReminders(tx: Transaction, companyId: number, quota: number | null): Promise<number> {
    const { queued, ofDay } = await this.room(tx, companyId, quota);
    return Math.min(queued.reminders, ofDay.reminders);
  }

  /** @throws AppError `LIMIT_REACHED` if the mails to be added would exceed one of the limits */
  async assertRoom(tx: Transaction, companyId: number, { quota, added }: Asked): Promise<void> {
    const { queued, ofDay } = await this.room(tx, companyId, quota);
    if (added > ofDay.mails) throw quotaReached(quota);
    if (added > queued.mails) throw new AppError('LIMIT_REACHED', TOO_MANY_QUEUED);
  }

  /** @throws AppError `LIMIT_REACHED` if the mails to be added would exceed the number that may be queued */
  async assertRoomInQueue(tx: Transaction, companyId: number, added: number): Promise<void> {
    await this.assertRoom(tx, companyId, { quota: null, added });
  }

  /**
   * Lets a claimed mail of a retainer count if it may be sent now, the oldest first. The lock holds until the
   * transaction ends, so a mail that is to wait must be released in it.
   *
   * @returns false if there is no room for it
   */
  async takeRoomToSend(tx: Transaction, mail: ClaimedMail, quota: number): Promise<boolean> {
    const { companyId, id: leavesRoomBefore } = mail;
    await this.mails.lockCompany(tx, companyId);
    const { mails } = await this.mails.countOfDay(tx, companyId, { atMost: quota, leavesRoomBefore });
    if (mails >= quota || (await this.mails.isBehindWaiting(tx, mail))) return false;
    await this.mails.grantRoom(tx, mail);
    return true;
  }

  private async room(tx: Transaction, companyId: number, quota: number | null): Promise<Room> {
    await this.mails.lockCompany(tx, companyId);
    const queued = await this.mails.countQueued(tx, companyId, QUEUED_MAX);
    return {
      queued: leftOf(QUEUED_MAX, queued),
      ofDay: await this.leftOfDay(tx, companyId, quota),
    };
  }

  private async leftOfDay(tx: Transaction, companyId: number, quota: number | null): Promise<MailCount> {
    if (quota === null) return UNLIMITED;
    return leftOf(
      quota,
      await this.mails.countOfDay(tx, companyId, { atMost: quota, leavesRoomBefore: null }),
    );
  }
}

/** Reminders get no more than is left of a limit, and of its half. */
function leftOf(limit: number, { mails, reminders }: MailCount): MailCount {
  return { mails: limit - mails, reminders: Math.min(limit - mails, Math.floor(limit / 2) - reminders) };
}

function quotaReached(quota: number | null): AppError {
  return new AppError(
    'LIMIT_REACHED',
    `the company may send ${quota} mails in 24 hours: wait, or ask the operator for a higher limit`,
  );
}
