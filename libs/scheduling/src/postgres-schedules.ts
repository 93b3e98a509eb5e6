import { Sql, within } from '@counterfoil/database';
import { type Backlog, occurrence, type PlainDate, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  BACKLOG,
  END,
  END_ALL,
  FIND_DUE,
  FIND_DUE_COMPANIES,
  FIND_DUE_RUN,
  OPEN,
  POSTPONE,
  TAKE,
} from './schedule.sql';
import {
  type KindOfSchedule,
  type ScheduleKind,
  type NewSchedule,
  type RunRefusal,
  RunTaken,
  type ScheduledRun,
  Schedules,
} from './schedules';

@Injectable()
export class PostgresSchedules extends Schedules {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async open(tx: Transaction, companyId: number, schedule: NewSchedule): Promise<number> {
    const { id } = await within(tx).only(OPEN, { companyId, schedule });
    return id;
  }

  override async end(
    tx: Transaction,
    companyId: number,
    { kind, id }: KindOfSchedule,
    now: Date,
  ): Promise<boolean> {
    return (await within(tx).changed(END, { companyId, kind, id, now })) > 0;
  }

  override async endAll(
    tx: Transaction,
    companyId: number,
    { kind, ids }: { readonly kind: ScheduleKind; readonly ids: readonly number[] },
    now: Date,
  ): Promise<void> {
    await within(tx).rows(END_ALL, { companyId, kind, ids, now });
  }

  override findDueRun(scheduleId: number, today: PlainDate, now: Date): Promise<ScheduledRun | null> {
    return this.sql.first(FIND_DUE_RUN, { scheduleId, today, now });
  }

  override async take(tx: Transaction, run: ScheduledRun, now: Date): Promise<void> {
    const nextRunDate = occurrence(run.firstRunDate, run.interval, run.runsBefore + 1);
    if ((await within(tx).changed(TAKE, { run, nextRunDate, now })) === 0) throw new RunTaken(run);
  }

  override async postpone(
    tx: Transaction,
    run: ScheduledRun,
    until: Date,
    refusal: RunRefusal | null,
  ): Promise<boolean> {
    return (await within(tx).changed(POSTPONE, { run, until, refusal })) > 0;
  }

  override async findDueCompanies(today: PlainDate, now: Date, limit: number): Promise<number[]> {
    const rows = await this.sql.rows(FIND_DUE_COMPANIES, { today, now, limit });
    return rows.map(({ id }) => id);
  }

  override backlog(today: PlainDate, now: Date): Promise<Backlog> {
    return this.sql.only(BACKLOG, { today, now });
  }

  override async findDueSchedules(
    companyId: number,
    today: PlainDate,
    now: Date,
    limit: number,
  ): Promise<number[]> {
    const rows = await this.sql.rows(FIND_DUE, { today, now, companyId, limit });
    return rows.map(({ id }) => id);
  }
}
