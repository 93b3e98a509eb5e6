import { Sql, within } from '@counterfoil/database';
import type { PlainDate, Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type DueReminder,
  type NewReminder,
  type NextReminder,
  type ReminderPeriod,
  type ReminderRow,
  Reminders,
} from '../../application/ports/reminders';
import { CHANGE_GRACE_MS, oldestReminderDay, type ReminderPlan } from '../../domain/reminder';
import {
  BEGIN_PROGRESS,
  COMPLETE,
  DUE_COMPANIES,
  EXEMPT,
  FIND_DUE,
  INCLUDE,
  INSERT_REMINDERS,
  IS_EXEMPT,
  IS_STILL_DUE,
  LIST_REMINDERS,
  LOCK_PLAN,
  NEXT_REMINDER,
  NOTE_BATCH,
  READ_PLAN,
  TAKE_TURN,
} from './reminder.sql';

@Injectable()
export class PostgresReminders extends Reminders {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async dueCompanies(today: PlainDate, limit: number): Promise<readonly number[]> {
    return (await this.sql.rows(DUE_COMPANIES, { today, limit, grace: CHANGE_GRACE_MS })).map(({ id }) => id);
  }

  override async takeTurn(companyId: number, now: Date): Promise<void> {
    await this.sql.rows(BEGIN_PROGRESS, { companyId });
    await this.sql.rows(TAKE_TURN, { companyId, now });
  }

  override lockPlan(tx: Transaction, companyId: number): Promise<ReminderPlan | null> {
    return within(tx).first(LOCK_PLAN, { companyId });
  }

  override readPlan(companyId: number): Promise<ReminderPlan | null> {
    return this.sql.first(READ_PLAN, { companyId });
  }

  override findDue(
    tx: Transaction,
    companyId: number,
    due: ReminderPeriod,
    limit: number,
  ): Promise<readonly DueReminder[]> {
    return within(tx).rows(FIND_DUE, { companyId, ...due, limit });
  }

  override async insert(
    tx: Transaction,
    companyId: number,
    reminders: readonly NewReminder[],
    at: { readonly today: PlainDate; readonly now: Date },
  ): Promise<readonly number[]> {
    const rows = await within(tx).rows(INSERT_REMINDERS, { companyId, reminders, ...at });
    return rows.flatMap(({ mailId }) => (mailId === null ? [] : [mailId]));
  }

  override async noteBatch(
    tx: Transaction,
    companyId: number,
    last: { readonly documentId: number; readonly now: Date },
  ): Promise<void> {
    await within(tx).rows(NOTE_BATCH, { companyId, ...last });
  }

  override async complete(
    tx: Transaction,
    companyId: number,
    at: { readonly today: PlainDate; readonly now: Date },
  ): Promise<void> {
    await within(tx).rows(COMPLETE, { companyId, ...at });
  }

  override async isStillDue(companyId: number, mailId: number, today: PlainDate): Promise<boolean> {
    const oldest = oldestReminderDay(today);
    return (await this.sql.first(IS_STILL_DUE, { companyId, mailId, oldest, today })) !== null;
  }

  override list(companyId: number, documentId: number): Promise<readonly ReminderRow[]> {
    return this.sql.rows(LIST_REMINDERS, { companyId, documentId });
  }

  override next(companyId: number, documentId: number, since: PlainDate): Promise<NextReminder | null> {
    return this.sql.first(NEXT_REMINDER, { companyId, documentId, since });
  }

  override async isExempt(companyId: number, documentId: number): Promise<boolean> {
    return (await this.sql.first(IS_EXEMPT, { companyId, documentId })) !== null;
  }

  override async setExempt(
    tx: Transaction,
    companyId: number,
    { documentId, isExempt }: { readonly documentId: number; readonly isExempt: boolean },
    at: Date,
  ): Promise<void> {
    if (isExempt) await within(tx).rows(EXEMPT, { companyId, documentId, at });
    else await within(tx).rows(INCLUDE, { companyId, documentId });
  }
}
