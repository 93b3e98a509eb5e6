import { Config } from '@counterfoil/config';
import { isDatabaseUnavailable } from '@counterfoil/database';
import { AppError, Clock, pauseAfter, plainDateOf, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { type NewEvent, Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { type RunRefusal, RunTaken, type ScheduledRun, type ScheduleKind, Schedules } from './schedules';

/** The refusal that the company sees after an internal error. */
const INTERNAL_ERROR: RunRefusal = { code: 'INTERNAL', message: 'an internal error; the run is retried' };

/** The work of a kind of schedule. */
export interface ScheduledWork {
  /** Executes a run and takes it, in the same transaction. */
  carryOut(run: ScheduledRun): Promise<void>;
  /** Returns the events to send when a run is refused for the first time. */
  eventsOf(run: ScheduledRun, refusal: RunRefusal): Promise<readonly NewEvent[]>;
}

export type WorkOfKinds = Readonly<Record<ScheduleKind, ScheduledWork>>;

/**
 * Executes the due runs of a schedule. Any number of processes may do so concurrently, and may be killed at
 * any time.
 */
@Injectable()
export class RunDueOccurrences {
  private stopping = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly schedules: Schedules,
    private readonly outbox: Outbox,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Executes due runs, the oldest first, until none is left or one fails, which is postponed.
   *
   * @param mayGoOn whether to start another run
   * @returns the number of runs executed or postponed by this call, not by other processes
   */
  async execute(
    scheduleId: number,
    works: WorkOfKinds,
    mayGoOn: () => boolean = () => true,
  ): Promise<number> {
    let handled = 0;
    while (!this.stopping && mayGoOn()) {
      const now = this.clock.now();
      const run = await this.schedules.findDueRun(scheduleId, plainDateOf(now), now);
      const outcome = run ? await this.attempt(run, works[run.kind]) : 'taken';
      if (outcome !== 'taken') handled++;
      if (outcome !== 'done') break;
    }
    return handled;
  }

  /** Lets the current run end, and starts no other. */
  stop(): void {
    this.stopping = true;
  }

  private async attempt(run: ScheduledRun, work: ScheduledWork): Promise<'done' | 'postponed' | 'taken'> {
    try {
      await work.carryOut(run);
      return 'done';
    } catch (error) {
      if (error instanceof RunTaken) return 'taken';
      return (await this.postpone(run, work, error)) ? 'postponed' : 'taken';
    }
  }

  /** @returns false if another process has executed or postponed the run meanwhile */
  private async postpone(run: ScheduledRun, work: ScheduledWork, error: unknown): Promise<boolean> {
    const refusal = refusalOf(error) ?? (isInternal(error) && !run.wasRefused ? INTERNAL_ERROR : null);
    const nextAttemptAt = this.nextAttemptAfter(run);
    const { scheduleId, companyId, runDate } = run;
    const attempt = { error, scheduleId, companyId, runDate, attempt: run.attempts + 1, nextAttemptAt };
    const isRefused = refusal !== null && refusal !== INTERNAL_ERROR;
    if (isRefused) this.log.warn(attempt, 'a scheduled run was refused; it is retried');
    else this.log.error(attempt, 'a scheduled run failed; it is retried');
    const events = isRefused && !run.wasRefused ? await work.eventsOf(run, refusal) : [];
    return this.transactions.run(async (tx) => {
      const postponed = await this.schedules.postpone(tx, run, nextAttemptAt, refusal);
      if (postponed) await this.outbox.append(tx, companyId, events);
      return postponed;
    });
  }

  private nextAttemptAfter({ attempts }: ScheduledRun): Date {
    const pauseMs = pauseAfter(attempts, this.config.schedulerIntervalMs);
    return new Date(this.clock.now().getTime() + pauseMs);
  }
}

/** Returns a refusal only for errors that the company can correct. */
function refusalOf(error: unknown): RunRefusal | null {
  if (!(error instanceof AppError) || isInternal(error) || error.code === 'UNAVAILABLE') return null;
  return { code: error.code, message: error.message };
}

/**
 * Internal errors are shown to the company, so that a missing run is explained. A busy database is not an
 * internal error.
 */
function isInternal(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'INTERNAL';
  return !isDatabaseUnavailable(error);
}
