import { Clock, plainDateOf } from '@counterfoil/kernel';
import { Injectable } from '@nestjs/common';
import { CatchUp, type WorkOfKinds } from './catch-up';
import { ScheduleJobs } from './schedule-jobs';
import { Schedules } from './schedules';

/** Then others have their turn, however much a company has due. */
const TURN_MS = 1_000;
/** Schedules of a company that one turn looks at. */
const SCHEDULES_MAX = 100;
/** Runs at once of one turn: they wait for each other in the database. */
const AT_ONCE = 2;

/** Works for one company for a while, and has it go on behind all others that are waiting. */
@Injectable()
export class CompanyTurn {
  constructor(
    private readonly catchUp: CatchUp,
    private readonly schedules: Schedules,
    private readonly jobs: ScheduleJobs,
    private readonly clock: Clock,
  ) {}

  /**
   * What fails with one schedule keeps none of the others back.
   *
   * @param turn which of the company's turns it is, from 0 on
   * @throws the first fault with which a run could be neither done nor put off
   */
  async execute(companyId: number, turn: number, works: WorkOfKinds): Promise<void> {
    const endsAt = performance.now() + TURN_MS;
    const mayGoOn = () => performance.now() < endsAt;
    const now = this.clock.now();
    const due = await this.schedules.dueOf(companyId, plainDateOf(now), now, SCHEDULES_MAX);
    const left = due.values();
    const faults: unknown[] = [];
    let settled = 0;
    const work = async (): Promise<void> => {
      for (const scheduleId of left) {
        if (!mayGoOn()) break;
        try {
          const count = await this.catchUp.execute(scheduleId, works, mayGoOn);
          settled += count;
        } catch (error) {
          faults.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const isMoreLeft = !mayGoOn() || due.length === SCHEDULES_MAX;
    // Where nothing came of it, another process is at it, or the database is away: the sweep goes on.
    if (isMoreLeft && settled > 0) await this.jobs.signal([companyId], turn + 1);
    if (faults.length > 0) throw faults[0];
  }

  /** Lets the runs that are being done end, and begins no other. */
  stop(): void {
    this.catchUp.stop();
  }
}
