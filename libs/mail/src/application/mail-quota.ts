import { Config } from '@counterfoil/config';
import { IdentityReader } from '@counterfoil/identity';
import { AppError, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { QUEUED_MAX } from '../domain/mail';
import { Mails } from './ports/mails';

/** Limits the mails of a company in 24 hours: by its own limit, or else by that of the installation. */
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

  /** Returns how many mails may be queued beside those that wait. Zero or less: none. */
  async waitingRoom(companyId: number): Promise<number> {
    return QUEUED_MAX - (await this.mails.countQueued(companyId, QUEUED_MAX));
  }

  /**
   * Returns how many mails may be added. Counts nothing if nothing is limited. Otherwise mails of the company are queued
   * one call after the other until the end of the transaction.
   */
  async room(tx: Transaction, companyId: number, quota: number | null): Promise<number> {
    return quota === null ? Infinity : quota - (await this.mails.countOfDay(tx, companyId, quota));
  }

  /**
   * @throws AppError `LIMIT_REACHED` if the mails to be added would exceed the quota
   */
  async assertRoom(
    tx: Transaction,
    companyId: number,
    { quota, added }: { readonly quota: number | null; readonly added: number },
  ): Promise<void> {
    if (quota === null || (added <= quota && added <= (await this.room(tx, companyId, quota)))) return;
    throw new AppError(
      'LIMIT_REACHED',
      `the company may send ${quota} mails in 24 hours: wait, or ask the operator for a higher limit`,
    );
  }
}
