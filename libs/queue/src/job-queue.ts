import type { Log } from '@counterfoil/observability';
import type { JobName, JobPayloads } from './jobs';

export interface NewJob<N extends JobName> {
  /** A job with the id of one that is still in the queue is not added again. */
  readonly id: string;
  readonly payload: JobPayloads[N];
  /** Milliseconds before the job may run; 0 by default. */
  readonly delayMs?: number;
}

/** Where jobs are put. */
export abstract class JobQueue {
  protected abstract readonly log: Pick<Log, 'warn'>;

  /**
   * Throws inside a transaction, since a transaction may be rolled back or run again; throws when the store cannot be
   * reached, at once and without keeping the job.
   */
  abstract add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void>;

  /** Adds jobs that may be lost, because a sweep finds their work in PostgreSQL. Logs a failure and never throws. */
  async signal<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void> {
    if (jobs.length === 0) return;
    try {
      await this.add(name, jobs);
    } catch (error) {
      const lost = { error, queue: name, jobs: jobs.length, firstJobId: jobs[0]?.id };
      this.log.warn(lost, 'jobs could not be added; the sweep finds their work');
    }
  }
}

/** What runs the jobs of a name. A job whose handler throws is over: the sweep brings back what is still due. */
export type JobHandlers = { readonly [N in JobName]: (payload: JobPayloads[N]) => Promise<void> };
