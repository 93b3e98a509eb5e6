import { type Backlog, Clock, plainDateOf, type Transaction, Transactions } from '@counterfoil/kernel';
import { JobQueue } from '@counterfoil/queue';
import { Injectable } from '@nestjs/common';
import { Schedules } from './schedules';

/** Companies of one sweep, the longest due first. Later sweeps find the others. */
const BATCH = 1_000;

/**
 * Signals companies with due runs to the worker. A lost signal does no harm, because the sweep finds due runs
 * in PostgreSQL.
 */
@Injectable()
export class ScheduleJobs {
  constructor(
    private readonly transactions: Transactions,
    private readonly schedules: Schedules,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Signals a company after the commit that opened a schedule. */
  signalAfter(tx: Transaction, companyId: number): void {
    this.transactions.afterCommit(tx, () => void this.signal([companyId]));
  }

  /** Finds companies with due runs and signals them, whatever happened to earlier jobs. */
  async signalDue(): Promise<void> {
    const now = this.clock.now();
    await this.signal(await this.schedules.findDueCompanies(plainDateOf(now), now, BATCH));
  }

  backlog(): Promise<Backlog> {
    const now = this.clock.now();
    return this.schedules.backlog(plainDateOf(now), now);
  }

  /**
   * @param turn a running job keeps its id until it has ended, so its successor needs another one. Two
   *   alternating ids limit each company to two jobs at once
   */
  signal(companyIds: readonly number[], turn = 0): Promise<void> {
    const jobs = companyIds.map((companyId) => ({
      id: `schedules-${companyId}-${turn % 2}`,
      payload: { companyId, turn },
    }));
    return this.queue.signal('schedule.run', jobs);
  }
}
