/** Every job and what it carries: ids only, never data or secrets. The truth is in PostgreSQL; a job says "look now". */
export interface JobPayloads {
  /** Fan new events out to the endpoints that want them. */
  'outbox.relay': Record<string, never>;
  /** Send an endpoint what is due. */
  'webhook.lane': { readonly endpointId: string; readonly companyId: number };
  /** Make deliveries due again, as a replay says. */
  'webhook.replay': { readonly replayId: number };
  /** Ask the tax authority for the allocation number of one document. */
  'approval.request': { readonly documentId: number };
  /** Read the documents that are asked for, this one or others. */
  'receipt.read': { readonly requestId: number };
  /** Do what a company's schedules have due, for a turn. */
  'schedule.run': { readonly companyId: number; readonly turn: number };
  /** Ask a payment provider what came of one operation. */
  'payment.settle': { readonly operationId: number };
}

export type JobName = keyof JobPayloads;

export interface JobSettings {
  /** Jobs of this name that one worker runs at once. */
  readonly concurrency: number;
  /** How long a job is its worker's without a sign of life; then another worker takes it. */
  readonly lockMs: number;
}

/** Each job's limits, all in one place: a job without them does not compile. */
export const JOBS: Record<JobName, JobSettings> = {
  'outbox.relay': { concurrency: 2, lockMs: 15_000 },
  // It only wakes what sends: no job waits for an endpoint.
  'webhook.lane': { concurrency: 8, lockMs: 15_000 },
  'webhook.replay': { concurrency: 1, lockMs: 60_000 },
  'approval.request': { concurrency: 4, lockMs: 60_000 },
  // Most of them wait: for a fetch, or for their turn with the pages that are recognised. Of a company there are two;
  // each holds its document, of up to 25 MiB.
  'receipt.read': { concurrency: 16, lockMs: 60_000 },
  // What a worker that died had in hand is due: others are to begin it within 30 seconds (decisions §12).
  'schedule.run': { concurrency: 8, lockMs: 15_000 },
  // They wait for a provider.
  'payment.settle': { concurrency: 32, lockMs: 15_000 },
};

export const JOB_NAMES = Object.keys(JOBS) as JobName[];
