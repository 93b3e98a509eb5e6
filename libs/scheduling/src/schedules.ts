import type { Backlog, ErrorCode, Interval, PlainDate, Transaction } from '@counterfoil/kernel';

/** The kinds of schedules. Each kind has a table whose rows have the ids of their schedules. */
export const SCHEDULE_KINDS = ['RETAINER', 'RECURRING_PAYMENT'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

export interface NewSchedule {
  readonly kind: ScheduleKind;
  readonly interval: Interval;
  readonly firstRunDate: PlainDate;
}

/** Identifies a schedule of a kind. Does not match a schedule of another kind. */
export interface KindOfSchedule {
  readonly kind: ScheduleKind;
  readonly id: number;
}

/**
 * The next run of a schedule. It is due on its run date, and keeps that date even if it is executed later.
 */
export interface ScheduledRun {
  readonly scheduleId: number;
  readonly companyId: number;
  readonly kind: ScheduleKind;
  readonly runDate: PlainDate;
  /** Number of runs executed before this one. */
  readonly runsBefore: number;
  readonly firstRunDate: PlainDate;
  readonly interval: Interval;
  /** Failed attempts at this run. */
  readonly attempts: number;
  /** Whether an event has reported that this run was refused. Internal errors are not reported. */
  readonly wasRefused: boolean;
}

/** The reason why a run was refused, in words for its company. */
export interface RunRefusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Another process is executing or has executed the run, or the schedule has ended. The caller must do
 * nothing.
 */
export class RunTaken extends Error {
  constructor({ scheduleId, runDate }: ScheduledRun) {
    super(`the run of ${runDate} of schedule ${scheduleId} is taken`);
  }
}

/**
 * Recurring work (contract §8.14, §14.6). A run is taken in the transaction that does its work, so that both
 * happen or neither. The runs of a schedule are executed in order, each with its own date.
 */
export abstract class Schedules {
  /** @returns the id; the caller inserts a row with it into the table of the kind, in the same transaction */
  abstract open(tx: Transaction, companyId: number, schedule: NewSchedule): Promise<number>;

  /**
   * Ends a schedule: its due runs are no longer executed. Waits for a run that is under way.
   *
   * @returns whether there was a schedule that had not ended
   */
  abstract end(tx: Transaction, companyId: number, schedule: KindOfSchedule, now: Date): Promise<boolean>;

  /** Ends several schedules like `end`. Those that have ended already are left as they are. */
  abstract endAll(
    tx: Transaction,
    companyId: number,
    schedules: { readonly kind: ScheduleKind; readonly ids: readonly number[] },
    now: Date,
  ): Promise<void>;

  /**
   * Finds the next run of a schedule if it is due on this day and may be attempted at this time; null
   * otherwise.
   */
  abstract findDueRun(scheduleId: number, today: PlainDate, now: Date): Promise<ScheduledRun | null>;

  /**
   * Takes a run: locks its schedule until `tx` ends and sets the next date. Never waits for another process.
   * A process that dies releases the lock.
   *
   * @throws RunTaken
   */
  abstract take(tx: Transaction, run: ScheduledRun, now: Date): Promise<void>;

  /**
   * Postpones a run and stores the reason if it was refused. Does nothing if the run was executed or
   * postponed meanwhile.
   *
   * @returns whether it was postponed
   */
  abstract postpone(
    tx: Transaction,
    run: ScheduledRun,
    until: Date,
    refusal: RunRefusal | null,
  ): Promise<boolean>;

  /** Finds companies with due runs, the longest due first. */
  abstract findDueCompanies(today: PlainDate, now: Date, limit: number): Promise<number[]>;

  abstract backlog(today: PlainDate, now: Date): Promise<Backlog>;

  /** Finds a company's schedules with due runs, the longest due first. */
  abstract findDueSchedules(companyId: number, today: PlainDate, now: Date, limit: number): Promise<number[]>;
}
