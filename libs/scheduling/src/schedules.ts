import type { ErrorCode, Interval, PlainDate, Transaction } from '@counterfoil/kernel';

/** What schedules are there for. Each kind has its table, whose rows have the ids of their schedules. */
export const SCHEDULE_KINDS = ['RETAINER', 'RECURRING_PAYMENT'] as const;
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number];

export interface NewSchedule {
  readonly kind: ScheduleKind;
  readonly interval: Interval;
  readonly firstRunDate: PlainDate;
}

/** A schedule by its id, where it is of the kind. */
export interface KindOfSchedule {
  readonly kind: ScheduleKind;
  readonly id: number;
}

/** What a schedule has to do next. It is due on its date, and done with that date whenever it comes to be done. */
export interface ScheduledRun {
  readonly scheduleId: number;
  readonly companyId: number;
  readonly kind: ScheduleKind;
  readonly runDate: PlainDate;
  /** Runs done before this one. */
  readonly runsBefore: number;
  readonly firstRunDate: PlainDate;
  readonly interval: Interval;
  /** Attempts at this run that came to nothing. */
  readonly attempts: number;
  /** Whether it was told that one of them was refused; faults of ours are not told. */
  readonly wasRefused: boolean;
}

/** Why a run could not be done, in words for the company that it belongs to. */
export interface RunRefusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Somebody else does this run, has done it, or the schedule has ended. Nothing is left to do about it. */
export class RunTaken extends Error {
  constructor({ scheduleId, runDate }: ScheduledRun) {
    super(`the run of ${runDate} of schedule ${scheduleId} is taken`);
  }
}

/**
 * What comes back at intervals (decisions §4, retainer and payment gateway). A run is taken in the transaction that does
 * its work: it is done with that, or neither happened. Runs of one schedule are done in their order, each with its own
 * date.
 */
export abstract class Schedules {
  /** @returns the id, of which a row of the kind's own table is made in the same transaction */
  abstract open(tx: Transaction, companyId: number, schedule: NewSchedule): Promise<number>;

  /**
   * Ends a schedule: what is due of it is not done any more. Waits for a run that is being done.
   *
   * @returns whether there was one that had not ended
   */
  abstract end(tx: Transaction, companyId: number, schedule: KindOfSchedule, now: Date): Promise<boolean>;

  /** The next run of a schedule, if it is due on this day and may be tried at this time; else null. */
  abstract dueRun(scheduleId: number, today: PlainDate, now: Date): Promise<ScheduledRun | null>;

  /**
   * Takes a run: locks its schedule until `tx` ends and moves it on to the next date. Never waits for another process,
   * and holds nothing that a process which dies would keep.
   *
   * @throws RunTaken
   */
  abstract take(tx: Transaction, run: ScheduledRun, now: Date): Promise<void>;

  /**
   * Puts a run off until a time, and keeps why, if it was refused. Does nothing where it was done or put off meanwhile.
   *
   * @returns whether it was put off
   */
  abstract postpone(
    tx: Transaction,
    run: ScheduledRun,
    until: Date,
    refusal: RunRefusal | null,
  ): Promise<boolean>;

  /** Companies with a run to be done, the longest due first. */
  abstract dueCompanies(today: PlainDate, now: Date, limit: number): Promise<number[]>;

  /** A company's schedules with a run to be done, the longest due first. */
  abstract dueOf(companyId: number, today: PlainDate, now: Date, limit: number): Promise<number[]>;
}
