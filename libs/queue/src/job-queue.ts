import type { Log } from '@counterfoil/observability';
import type { JobName, JobPayloads } from './jobs';

export interface NewJob<N extends JobName> {
  /** A job with the same id that is still in the queue prevents adding this one. */
  readonly id: string;
  readonly payload: JobPayloads[N];
  /** The trace of the caller, which the job continues. The queue sets it. */
  readonly trace?: string;
  /** Milliseconds before the job may run; 0 by default. */
  readonly delayMs?: number;
}

export abstract class JobQueue {
  protected abstract readonly log: Pick<Log, 'warn'>;

  /**
   * Adds jobs to the queue.
   *
   * @throws Error inside a transaction, because it may be rolled back or run again, and at once if the store
   *   is unavailable; then no job is added
   */
  abstract add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void>;

  /**
   * Adds jobs that may be lost, because a sweep finds their work in PostgreSQL. Logs a failure and never
   * throws.
   */
  async signal<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await this.add(name, jobs);
    } catch (error) {
      const lost = { error, queue: name, jobs: jobs.length, firstJobId: jobs[0]?.id };
      this.log.warn(lost, 'jobs could not be added; the sweep finds their work');
    }
  }

  /** Takes out a job for which nobody waits any more, unless it runs already. Logs a failure and never throws. */
  abstract withdraw(name: JobName, id: string): Promise<void>;
}

/**
 * The handlers by job name. A job whose handler throws is not retried: the sweep finds the work that is still
 * due.
 */
export type JobHandlers = { readonly [N in JobName]: (payload: JobPayloads[N]) => Promise<void> };
