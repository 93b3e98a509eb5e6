/**
 * What each job carries: ids only, never data or secrets. The truth is in PostgreSQL; a job says "look now". The lib that
 * adds a job declares it, beside its settings:
 *
 *     declare module '@counterfoil/queue' {
 *       interface JobPayloads {
 *         'payment.settle': { readonly operationId: number };
 *       }
 *     }
 *
 *     export const PAYMENT_JOBS = { 'payment.settle': { concurrency: 32, lockMs: 15_000 } };
 */
export interface JobPayloads {}

export type JobName = keyof JobPayloads;

export interface JobSettings {
  /** Jobs of this name that one worker runs at once. */
  readonly concurrency: number;
  /** How long a job is its worker's without a sign of life; then another worker takes it. */
  readonly lockMs: number;
}

/** The settings of every job: one without them does not compile. */
export type Jobs = { readonly [N in JobName]: JobSettings };

export function jobNames(jobs: Jobs): JobName[] {
  return Object.keys(jobs) as JobName[];
}
