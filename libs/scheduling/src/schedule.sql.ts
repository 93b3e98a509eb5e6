import { backlogOf, statement } from '@counterfoil/database';
import { BUSINESS_TIME_ZONE, type PlainDate } from '@counterfoil/kernel';
import type { NewSchedule, RunRefusal, ScheduledRun, ScheduleKind } from './schedules';

interface At {
  readonly today: PlainDate;
  readonly now: Date;
}

interface Id {
  readonly id: number;
}

/**
 * Nothing of a suspended company is due. After it is resumed, its runs are made up for as after an outage. A scalar
 * subquery, because PostgreSQL would join with `exists`, and then read and sort all due rows before the limit.
 */
const IS_ACTIVE = `(select c.suspended_at is null from companies c where c.id = company_id)`;

const IS_DUE = `ended_at is null and next_run_date <= :today and (next_attempt_at is null or next_attempt_at <= :now)
  and ${IS_ACTIVE}`;

export const OPEN = statement<{ readonly companyId: number; readonly schedule: NewSchedule }, Id>(
  'schedules: open',
  `insert into schedules (company_id, kind, interval, first_run_date, next_run_date)
   values (:companyId, :schedule.kind, :schedule.interval, :schedule.firstRunDate, :schedule.firstRunDate) returning id`,
);

export const END = statement<
  Id & { readonly companyId: number; readonly kind: ScheduleKind; readonly now: Date }
>(
  'schedules: end',
  'update schedules set ended_at = :now where company_id = :companyId and kind = :kind and id = :id and ended_at is null',
);

/** Locks the schedules in the order of their ids, so that two calls cannot deadlock. */
export const END_ALL = statement<{
  readonly companyId: number;
  readonly kind: ScheduleKind;
  readonly ids: readonly number[];
  readonly now: Date;
}>(
  'schedules: end all',
  `update schedules set ended_at = :now
    where id in (select id from schedules
                  where company_id = :companyId and kind = :kind and id = any(:ids::bigint[]) and ended_at is null
                  order by id for no key update)`,
);

export const FIND_DUE_RUN = statement<At & { readonly scheduleId: number }, ScheduledRun>(
  'schedules: due run',
  `select id as "scheduleId", company_id as "companyId", kind, next_run_date as "runDate", runs as "runsBefore",
          first_run_date as "firstRunDate", interval, attempts, coalesce(refusal_code <> 'INTERNAL', false) as "wasRefused"
     from schedules where id = :scheduleId and ${IS_DUE}`,
);

/** Uses a lock that is compatible with the foreign key checks of rows that refer to the schedule. */
export const TAKE = statement<{
  readonly run: ScheduledRun;
  readonly nextRunDate: PlainDate;
  readonly now: Date;
}>(
  'schedules: take',
  `with schedule as materialized (
     select id from schedules
      where company_id = :run.companyId and id = :run.scheduleId and runs = :run.runsBefore
        and next_run_date = :run.runDate and ended_at is null
        for no key update skip locked
   ), moved as (
     update schedules s
        set runs = s.runs + 1, next_run_date = :nextRunDate, attempts = 0, next_attempt_at = null, refusal_code = null,
            refusal_message = null
       from schedule where s.id = schedule.id
   )
   insert into scheduled_runs (schedule_id, run_date, done_at) select id, :run.runDate, :now from schedule`,
);

export const POSTPONE = statement<{
  readonly run: ScheduledRun;
  readonly until: Date;
  readonly refusal: RunRefusal | null;
}>(
  'schedules: postpone',
  `update schedules
      set attempts = attempts + 1, next_attempt_at = :until, refusal_code = coalesce(:refusal.code, refusal_code),
          refusal_message = coalesce(:refusal.message, refusal_message)
    where company_id = :run.companyId and id = :run.scheduleId and next_run_date = :run.runDate
      and attempts = :run.attempts and ended_at is null`,
);

export const FIND_DUE_COMPANIES = statement<At & { readonly limit: number }, Id>(
  'schedules: due companies',
  `select company_id as id from schedules where ${IS_DUE}
    group by company_id order by min(next_run_date), company_id limit :limit`,
);

export const FIND_DUE = statement<At & { readonly companyId: number; readonly limit: number }, Id>(
  'schedules: due',
  `select id from schedules where company_id = :companyId and ${IS_DUE} order by next_run_date, id limit :limit`,
);

export const BACKLOG = backlogOf<At>({
  table: 'schedules',
  where: IS_DUE,
  due: `coalesce(next_attempt_at, next_run_date::timestamp at time zone '${BUSINESS_TIME_ZONE}')`,
  orderBy: 'next_run_date',
});
