import { Config } from '@counterfoil/config';
import { isDatabaseUnavailable } from '@counterfoil/database';
import { AppError, Clock, pauseAfter, plainDateOf, Transactions } from '@counterfoil/kernel';
import { Log } from '@counterfoil/observability';
import { type NewEvent, Outbox } from '@counterfoil/outbox';
import { Injectable } from '@nestjs/common';
import { type RunRefusal, RunTaken, type ScheduledRun, type ScheduleKind, Schedules } from './schedules';

/** What a company sees of a run that failed by a fault of ours. */
const FAULT: RunRefusal = { code: 'INTERNAL', message: 'a fault of the service; it is tried again' };

/** What a kind of schedule is there for. */
export interface ScheduledWork {
  /** Does a run, and takes it in the transaction that does so. */
  carryOut(run: ScheduledRun): Promise<void>;
  /** What is told of a run when it is refused for the first time. */
  eventsOf(run: ScheduledRun, refusal: RunRefusal): Promise<readonly NewEvent[]>;
}

export type WorkOfKinds = Readonly<Record<ScheduleKind, ScheduledWork>>;

/** Does what a schedule has due, also by any number of processes at once and after any of them was killed. */
@Injectable()
export class CatchUp {
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
   * Does the runs that are due, the oldest first, until none is left or one comes to nothing, which is put off.
   *
   * @param mayGoOn whether another run may be begun
   * @returns how many were done or put off; what others have in hand does not count
   */
  async execute(
    scheduleId: number,
    works: WorkOfKinds,
    mayGoOn: () => boolean = () => true,
  ): Promise<number> {
    let settled = 0;
    while (!this.stopping && mayGoOn()) {
      const now = this.clock.now();
      const run = await this.schedules.dueRun(scheduleId, plainDateOf(now), now);
      const outcome = run ? await this.tryOnce(run, works[run.kind]) : 'taken';
      if (outcome !== 'taken') settled++;
      if (outcome !== 'done') break;
    }
    return settled;
  }

  /** Lets the run that is being done end, and begins no other. */
  stop(): void {
    this.stopping = true;
  }

  private async tryOnce(run: ScheduledRun, work: ScheduledWork): Promise<'done' | 'put off' | 'taken'> {
    try {
      await work.carryOut(run);
      return 'done';
    } catch (error) {
      if (error instanceof RunTaken) return 'taken';
      return (await this.putOff(run, work, error)) ? 'put off' : 'taken';
    }
  }

  /** @returns false where somebody else has done it or put it off meanwhile */
  private async putOff(run: ScheduledRun, work: ScheduledWork, error: unknown): Promise<boolean> {
    const refusal = refusalOf(error) ?? (isOurs(error) && !run.wasRefused ? FAULT : null);
    const nextAttemptAt = this.nextAttemptAfter(run);
    const { scheduleId, companyId, runDate } = run;
    const attempt = { error, scheduleId, companyId, runDate, attempt: run.attempts + 1, nextAttemptAt };
    const isRefused = refusal !== null && refusal !== FAULT;
    if (isRefused) this.log.warn(attempt, 'a scheduled run was refused; it is tried again');
    else this.log.error(attempt, 'a scheduled run failed; it is tried again');
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

/** What the company can do something about. */
function refusalOf(error: unknown): RunRefusal | null {
  if (!(error instanceof AppError) || isOurs(error) || error.code === 'UNAVAILABLE') return null;
  return { code: error.code, message: error.message };
}

/** A fault is shown, so that nobody wonders what is missing; that the database is busy is none. */
function isOurs(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'INTERNAL';
  return !isDatabaseUnavailable(error);
}
