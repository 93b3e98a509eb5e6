import { Clock, plainDateOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { RunDueOccurrences, type WorkOfKinds } from './run-due-occurrences';
import { ScheduleJobs } from './schedule-jobs';
import { Schedules } from './schedules';

/** After this time other companies get their turn. */
const TURN_MS = 1_000;
/** Schedules of the company that one batch reads. */
const SCHEDULES_MAX = 100;
/** Concurrent runs of one batch. More would only wait for each other in the database. */
const AT_ONCE = 2;

/**
 * Executes due runs of one company for a limited time, then signals a job for the rest. That job queues
 * behind those of other companies.
 */
@Injectable()
export class CompanyBatch {
  constructor(
    private readonly dueOccurrences: RunDueOccurrences,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * A failure of one schedule does not stop the others.
   *
   * @param turn the number of the company's batch, from 0
   * @throws the first error that prevented a run from being executed or postponed
   */
  async execute(companyId: number, turn: number, works: WorkOfKinds): Promise<void> {
    const endsAt = performance.now() + TURN_MS;
    const mayGoOn = () => performance.now() < endsAt;
    const now = this.clock.now();
    const due = await this.schedules.findDueSchedules(companyId, plainDateOf(now), now, SCHEDULES_MAX);
    const remaining = due.values();
    const faults: unknown[] = [];
    let handled = 0;
    const work = async (): Promise<void> => {
      for (const scheduleId of remaining) {
        if (!mayGoOn()) break;
        try {
          const count = await this.dueOccurrences.execute(scheduleId, works, mayGoOn);
          handled += count;
        } catch (error) {
          faults.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const isMoreLeft = !mayGoOn() || due.length === SCHEDULES_MAX;
    // If nothing was handled, another process works on the runs or the database is unavailable. Then the
    // sweep continues later.
    if (isMoreLeft && handled > 0) await this.jobs.signal([companyId], turn + 1);
    if (faults.length > 0) throw faults[0];
  }

  /** Lets the current runs end, and starts no others. */
  stop(): void {
    this.dueOccurrences.stop();
  }
}
