import { Clock, plainDateOf, type Transaction, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { Schedules } from './schedules';

/** Companies that are signalled at once; the others, when these have had their turn. */
const BATCH = 1_000;

/** Has the worker do what is due. A signal may be lost: what is due is found again in PostgreSQL. */
@Injectable()
export class ScheduleJobs {
  constructor(
    private readonly transactions: Transactions,
    private readonly schedules: Schedules,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Signals a company of which a schedule was opened, once `tx` has committed. */
  signalAfter(tx: Transaction, companyId: number): void {
    this.transactions.afterCommit(tx, () => void this.signal([companyId]));
  }

  /** Finds what is due, whatever became of its jobs. */
  async sweep(): Promise<void> {
    const now = this.clock.now();
    await this.signal(await this.schedules.dueCompanies(plainDateOf(now), now, BATCH));
  }

  /**
   * @param turn a job that runs has its id until it has ended: the one that goes on with its work needs another. There
   *   are two ids, so that of a company no more than two jobs are there at once
   */
  signal(companyIds: readonly number[], turn = 0): Promise<void> {
    const jobs = companyIds.map((companyId) => ({
      id: `schedules-${companyId}-${turn % 2}`,
      payload: { companyId, turn },
    }));
    return this.queue.signal('schedule.run', jobs);
  }
}
