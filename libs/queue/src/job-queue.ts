import type { JobName, JobPayloads } from './jobs';

export interface NewJob<N extends JobName> {
  /** A job with the id of one that is still in the queue is not added again. */
  readonly id: string;
  readonly payload: JobPayloads[N];
  /** Milliseconds before the job may run; 0 by default. */
  readonly delayMs?: number;
}

/**
 * Where jobs are put. Throws inside a transaction, since a transaction may be rolled back or run again; throws
 * when the store cannot be reached, at once and without keeping the job. The caller then goes on: whatever is
 * due is found again in PostgreSQL.
 */
export abstract class JobQueue {
  abstract add<N extends JobName>(name: N, jobs: readonly NewJob<N>[]): Promise<void>;
}

/** What runs the jobs of a name. A job whose handler throws is over: the sweep brings back what is still due. */
export type JobHandlers = { readonly [N in JobName]: (payload: JobPayloads[N]) => Promise<void> };
