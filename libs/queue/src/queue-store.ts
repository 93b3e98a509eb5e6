import type { WorkerOptions } from 'bullmq';

export interface AddedJob {
  readonly name: string;
  readonly data: unknown;
  readonly opts: { readonly jobId: string; readonly delay: number };
}

export interface QueueOf {
  addBulk(jobs: AddedJob[]): Promise<unknown>;
  remove(jobId: string): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  waitUntilReady(): Promise<unknown>;
  close(): Promise<void>;
}

export interface WorkerOf {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export type Process = (job: { readonly data: unknown }) => Promise<void>;

/** The store of BullMQ's jobs: PostgreSQL or Redis. Also its injection token. */
export abstract class QueueStore {
  abstract queue(name: string): QueueOf;
  abstract worker(name: string, process: Process, options: WorkerLimits): WorkerOf;
  abstract close(): Promise<void>;
}

export type WorkerLimits = Pick<WorkerOptions, 'concurrency' | 'lockDuration' | 'stalledInterval'>;

/** Removes jobs when they end: PostgreSQL records the outcome, and the id becomes free. */
export const KEEP_NOTHING = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
/**
 * The pause of a worker after an error of the store. BullMQ's default of 15 seconds would prolong an outage.
 */
const PAUSE_AFTER_FAILURE_MS = 1_000;
export const WORKER_DEFAULTS = {
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  runRetryDelay: PAUSE_AFTER_FAILURE_MS,
};
