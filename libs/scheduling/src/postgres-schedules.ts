import { managerOf, Sql } from '@counterfoil/database';
import { occurrence, type PlainDate, type Transaction } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import {
  type KindOfSchedule,
  type NewSchedule,
  type RunRefusal,
  RunTaken,
  type ScheduledRun,
  Schedules,
} from './schedules';

/** What is due now: `$1` is the day, `$2` the time. */
const IS_DUE = `ended_at is null and next_run_date <= $1 and (next_attempt_at is null or next_attempt_at <= $2)`;

@Injectable()
export class PostgresSchedules extends Schedules {
  constructor(private readonly sql: Sql) {
    super();
  }

  override async open(
    tx: Transaction,
    companyId: number,
    { kind, interval, firstRunDate }: NewSchedule,
  ): Promise<number> {
    const [opened] = await managerOf(tx).query<{ id: number }[]>(
      `insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
       values ($1, $2, $3, $4, $4) returning id`,
      [companyId, kind, interval, firstRunDate],
    );
    if (!opened) throw new Error('the insert returned no row');
    return opened.id;
  }

  override async end(
    tx: Transaction,
    companyId: number,
    { kind, id }: KindOfSchedule,
    now: Date,
  ): Promise<boolean> {
    const [, ended] = await managerOf(tx).query<[unknown, number]>(
      `update schedules set ended_at = $4 where company_id = $1 and kind = $2 and id = $3 and ended_at is null`,
      [companyId, kind, id, now],
    );
    return ended > 0;
  }

  override async dueRun(scheduleId: number, today: PlainDate, now: Date): Promise<ScheduledRun | null> {
    const [due] = await this.sql.rows<ScheduledRun>(
      `select id as "scheduleId", company_id as "companyId", kind, next_run_date as "runDate", runs as "runsBefore",
              first_run_date as "firstRunDate", interval, attempts, coalesce(refusal_code <> 'INTERNAL', false) as "wasRefused"
         from schedules where id = $3 and ${IS_DUE}`,
      [today, now, scheduleId],
    );
    return due ?? null;
  }

  override async take(tx: Transaction, run: ScheduledRun, now: Date): Promise<void> {
    const { scheduleId, companyId, runDate, runsBefore } = run;
    const nextRunDate = occurrence(run.firstRunDate, run.interval, runsBefore + 1);
    // Compatible with the lock that the rows which refer to a schedule take on it.
    const taken = await managerOf(tx).query<unknown[]>(
      `with schedule as materialized (
         select id from schedules
          where company_id = $1 and id = $2 and runs = $3 and next_run_date = $4 and ended_at is null
            for no key update skip locked
       ), moved as (
         update schedules s
            set runs = s.runs + 1, next_run_date = $5, attempts = 0, next_attempt_at = null, refusal_code = null,
                refusal_message = null
           from schedule where s.id = schedule.id
       )
       insert into scheduled_runs (schedule_id, run_date, done_at) select id, $4, $6 from schedule
       returning schedule_id`,
      [companyId, scheduleId, runsBefore, runDate, nextRunDate, now],
    );
    if (taken.length === 0) throw new RunTaken(run);
  }

  override async postpone(
    tx: Transaction,
    { scheduleId, companyId, runDate, attempts }: ScheduledRun,
    until: Date,
    refusal: RunRefusal | null,
  ): Promise<boolean> {
    const [, postponed] = await managerOf(tx).query<[unknown, number]>(
      `update schedules
          set attempts = attempts + 1, next_attempt_at = $5, refusal_code = coalesce($6, refusal_code),
              refusal_message = coalesce($7, refusal_message)
        where company_id = $1 and id = $2 and next_run_date = $3 and attempts = $4 and ended_at is null`,
      [companyId, scheduleId, runDate, attempts, until, refusal?.code ?? null, refusal?.message ?? null],
    );
    return postponed > 0;
  }

  override async dueCompanies(today: PlainDate, now: Date, limit: number): Promise<number[]> {
    const rows = await this.sql.rows<{ id: number }>(
      `select company_id as id from schedules where ${IS_DUE}
        group by company_id order by min(next_run_date), company_id limit $3`,
      [today, now, limit],
    );
    return rows.map(({ id }) => id);
  }

  override async dueOf(companyId: number, today: PlainDate, now: Date, limit: number): Promise<number[]> {
    const rows = await this.sql.rows<{ id: number }>(
      `select id from schedules where company_id = $3 and ${IS_DUE} order by next_run_date, id limit $4`,
      [today, now, companyId, limit],
    );
    return rows.map(({ id }) => id);
  }
}
