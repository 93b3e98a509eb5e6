import type { Config } from '@counterfoil/config';

/** Every job and what it carries: ids only, never data or secrets. The truth is in PostgreSQL; a job says "look now". */
export interface JobPayloads {
  /** Fan new events out to the endpoints that want them. */
  'outbox.relay': Record<string, never>;
  /** Make the attempt of one delivery that is due. */
  'webhook.deliver': { readonly deliveryId: number };
  /** Ask the tax authority for the allocation number of one document. */
  'approval.request': { readonly documentId: number };
}

export type JobName = keyof JobPayloads;

export interface JobSettings {
  /** Jobs of this name that one worker runs at once. */
  readonly concurrency: (config: Config) => number;
  /** How long a job is its worker's without a sign of life; then another worker takes it. */
  readonly lockMs: (config: Config) => number;
}

/** The time beyond its longest attempt that a delivery may take: claiming it and recording the outcome. */
const ATTEMPT_OVERHEAD_MS = 5_000;

/** Each job's limits, all in one place: a job without them does not compile. */
export const JOBS: Record<JobName, JobSettings> = {
  'outbox.relay': { concurrency: () => 2, lockMs: () => 15_000 },
  'webhook.deliver': {
    concurrency: (config) => config.workerConcurrency,
    lockMs: (config) => config.webhookTimeoutMs + ATTEMPT_OVERHEAD_MS,
  },
  'approval.request': { concurrency: () => 4, lockMs: () => 60_000 },
};

export const JOB_NAMES = Object.keys(JOBS) as JobName[];
