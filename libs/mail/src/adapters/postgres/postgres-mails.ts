import { Sql, within } from '@counterfoil/database';
import { type Backlog, Clock, type Transaction } from '@counterfoil/kernel';
import { type Lease, newLease, renewLeases } from '@counterfoil/leased-work';
import { Injectable } from '@nestjs/common';
import {
  type ClaimedMail,
  type CountedMails,
  type MailCount,
  type MailEnd,
  Mails,
  type NewMails,
  type QueuedMail,
  type WaitingMail,
} from '../../application/ports/mails';
import {
  BEGIN_HAND_OVER,
  CLAIM_NEXT_MAIL,
  COUNT_OF_DAY,
  COUNT_QUEUED,
  DUE_MAILS,
  FINISH_MAIL,
  GRANT_ROOM,
  INSERT_MAILS,
  IS_BEHIND_WAITING,
  LOCK_MAILS,
  MAIL_BACKLOG,
  RELEASE_MAIL,
  RENEW_MAILS,
  RETRY_MAIL,
  WAIT_FOR_ROOM,
} from './mail.sql';

import { RECORDING_MAX_MS } from '../../domain/mail';

@Injectable()
export class PostgresMails extends Mails {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async lockCompany(tx: Transaction, companyId: number): Promise<void> {
    await within(tx).rows(LOCK_MAILS, { companyId });
  }

  override countQueued(tx: Transaction, companyId: number, atMost: number): Promise<MailCount> {
    return within(tx).only(COUNT_QUEUED, { companyId, atMost });
  }

  override countOfDay(tx: Transaction, companyId: number, counted: CountedMails): Promise<MailCount> {
    return within(tx).only(COUNT_OF_DAY, { companyId, ...counted });
  }

  override async grantRoom(tx: Transaction, mail: ClaimedMail): Promise<void> {
    await within(tx).rows(GRANT_ROOM, leaseOf(mail));
  }

  override async isBehindWaiting(tx: Transaction, { companyId, id }: ClaimedMail): Promise<boolean> {
    return (await within(tx).only(IS_BEHIND_WAITING, { companyId, id })).isBehind;
  }

  override async waitForRoom(tx: Transaction, mail: ClaimedMail, waiting: WaitingMail): Promise<void> {
    const { companyId, leaseToken: token } = mail;
    await within(tx).rows(WAIT_FOR_ROOM, { companyId, token, ...waiting });
  }

  override insert(
    tx: Transaction,
    companyId: number,
    { recipients, ...mails }: NewMails,
  ): Promise<readonly QueuedMail[]> {
    const addressesOf = (kind: string) =>
      recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
    return within(tx).rows(INSERT_MAILS, {
      ...{ ...mails, companyId },
      addresses: recipients.map(({ address }) => address),
      kinds: recipients.map(({ kind }) => kind),
      to: addressesOf('to'),
      cc: addressesOf('cc'),
    });
  }

  override claimNext(now: Date, leaseMs: number): Promise<ClaimedMail | null> {
    return this.sql.first(CLAIM_NEXT_MAIL, { now, ...newLease(leaseMs) });
  }

  override renew(tokens: readonly string[], leaseMs: number): Promise<readonly string[]> {
    return renewLeases(this.sql, RENEW_MAILS, tokens, leaseMs);
  }

  override async beginHandOver(mail: ClaimedMail): Promise<boolean> {
    const now = this.clock.now();
    const lostAt = new Date(now.getTime() + RECORDING_MAX_MS);
    return (await this.sql.changed(BEGIN_HAND_OVER, { ...leaseOf(mail), now, lostAt })) > 0;
  }

  override async retry(
    mail: ClaimedMail,
    next: { readonly dueAt: Date; readonly response: string },
  ): Promise<void> {
    await this.sql.rows(RETRY_MAIL, { ...leaseOf(mail), ...next });
  }

  override async release(mail: ClaimedMail, dueAt: Date): Promise<void> {
    await this.sql.rows(RELEASE_MAIL, { ...leaseOf(mail), dueAt });
  }

  override async finish(tx: Transaction, mail: ClaimedMail, end: MailEnd): Promise<boolean> {
    return (await within(tx).changed(FINISH_MAIL, { ...leaseOf(mail), ...end })) > 0;
  }

  override async due(now: Date, limit: number): Promise<readonly number[]> {
    return (await this.sql.rows(DUE_MAILS, { now, limit })).map(({ key }) => key);
  }

  override backlog(now: Date): Promise<Backlog> {
    return this.sql.only(MAIL_BACKLOG, { now });
  }
}

const leaseOf = ({ id, leaseToken }: ClaimedMail): Lease => ({ key: id, token: leaseToken });
