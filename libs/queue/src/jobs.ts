/**
 * The payloads of jobs: ids only, never data or secrets. A job is only a signal to look at PostgreSQL, which
 * has the data. Data that is stored nowhere may be in the payload, if a caller waits for its job. PostgreSQL does not keep
 * the order of the fields. The lib that adds a job declares it, with its settings:
 *
 *     declare module '@counterfoil/queue' {
 *       interface JobPayloads {
 *         'payment.settle': { readonly operationId: number };
 *       }
 *     }
 *
 *     export const PAYMENT_JOBS = { 'payment.settle': { concurrency: 32 } };
 */
export interface JobPayloads {}

export type JobName = keyof JobPayloads;

export interface JobSettings {
  /** Concurrent jobs of this name in one worker. */
  readonly concurrency: number;
  /** The job only wakes up work that continues its own traces, so it has none. */
  readonly wakesUp?: true;
}

/** The settings of all jobs. A job without settings does not compile. */
export type Jobs = { readonly [N in JobName]: JobSettings };

export function jobNames(jobs: Jobs): JobName[] {
  return Object.keys(jobs) as JobName[];
}
